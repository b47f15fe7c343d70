// What an enumeration says, as a file that others read: compared against, merged with another part.
#include "tests/fuzz/checked_command.h"
#include "tests/fuzz/made_search.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

std::string enumerated(const std::vector<std::string>& options) {
  std::vector<std::string> args{"enumerate", "tiny-gpt", "--json"};
  args.insert(args.end(), options.begin(), options.end());
  return checked(args).out;
}

Parts seed(std::size_t number) {
  static const std::string whole = enumerated({});
  static const std::string one = enumerated({"--shard", "1/2"});
  static const std::string two = enumerated({"--shard", "2/2"});
  static const std::string bounds = enumerated({"--optimum-only"});
  switch (number) {
    case 0:
      return {whole, two};
    case 1:
      return {one, two};
    default:
      return {bounds, two};
  }
}

void run(const Parts& parts) {
  const std::filesystem::path folder = fresh_folder();
  write(folder / "one.json", parts[0]);
  write(folder / "two.json", parts[1]);
  checked({"merge", folder / "one.json", folder / "two.json", "--out", folder / "both.json"});
  checked({"compare", made_search(), made_search(), "--searcher", "random,coordinate", "--optimum",
           folder / "one.json", "--json"});
}

}  // namespace

Target enumeration_target() {
  return {.name = "enumeration",
          .forms = {Form::json, Form::json},
          .seed = seed,
          .seeds = 3,
          .run = run};
}

}  // namespace cubicbench::fuzz
