#include "support/sha256.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "support/sha256_blocks.h"

namespace cubicbench::support {
namespace {

// The examples published with FIPS 180-4, and the empty message.
TEST(Sha256, MatchesPublishedVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                       "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// The padding needs a second block from 56 bytes on; a digest by another program for each side.
TEST(Sha256, PadsAtEveryEdgeOfABlock) {
  struct Case {
    std::size_t length;
    const char* digest;
  };
  for (const Case& c :
       {Case{55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
        Case{56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
        Case{63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
        Case{64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
        Case{65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
        Case{119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
        Case{120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
        Case{128, "6836cf13bac400e9105071cd6af47084dfacad4e5e302c94bfed24e013afb73e"}}) {
    EXPECT_EQ(sha256_hex(std::string(c.length, 'a')), c.digest) << c.length;
  }
}

TEST(Sha256, HasTheSameWordsOnEveryMachine) {
  std::string bytes;
  for (std::size_t i = 0; i < 7 * sha256_block_bytes; ++i) bytes += static_cast<char>(i * i % 251);
  const auto* const blocks = reinterpret_cast<const unsigned char*>(bytes.data());
  for (std::size_t count = 0; count <= 7; ++count) {
    Sha256State portable{1, 2, 3, 4, 0xffffffff, 6, 7, 0x80000000};
    Sha256State quickest = portable;
    portable_sha256_blocks(portable, blocks, count);
    sha256_blocks()(quickest, blocks, count);
    EXPECT_EQ(quickest, portable) << count;
  }
}

TEST(Sha256, IsThatOfTheWholeWhateverThePieces) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += static_cast<char>('a' + i * i % 26);
  for (const std::size_t piece : {1U, 5U, 63U, 64U, 65U, 200U}) {
    Sha256 hash;
    for (std::size_t at = 0; at < text.size(); at += piece) hash.add(text.substr(at, piece));
    EXPECT_EQ(hash.hex(), sha256_hex(text)) << piece;
  }
}

}  // namespace
}  // namespace cubicbench::support
