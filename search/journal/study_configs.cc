#include "search/journal/study_configs.h"

#include <limits>

#include "sim/base/check.h"

namespace cubicbench::search {
namespace {

constexpr unsigned bits_a_byte = 7;
constexpr unsigned more = 1U << bits_a_byte;  ///< another byte follows

void pack(ConfigWord word, std::string& bytes) {
  for (; word >= more; word >>= bits_a_byte) bytes += static_cast<char>(word | more);
  bytes += static_cast<char>(word);
}

ConfigWord unpack(std::string_view& bytes) {
  ConfigWord word = 0;
  for (unsigned shift = 0;; shift += bits_a_byte) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    word |= (byte & (more - 1)) << shift;
    if (byte < more) return word;
  }
}

std::string packed_text(const ConfigText& config, ConfigWords& words) {
  std::string bytes;
  for (const auto& [name, value] : config) pack(words.word(name, value), bytes);
  return bytes;
}

}  // namespace

std::string_view StudyConfigs::packed(ConfigId id) const {
  const std::size_t begin = index_of(id) == 0 ? 0 : ends_[index_of(id) - 1];
  return std::string_view(bytes_).substr(begin, ends_[index_of(id)] - begin);
}

ConfigText StudyConfigs::json(ConfigId id) const {
  ConfigText config;
  std::string_view rest = packed(id);
  while (!rest.empty()) config.push_back(words_->text(unpack(rest)));
  return config;
}

std::optional<ConfigId> StudyConfigs::find(std::string_view packed_config) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const auto id = static_cast<ConfigId>(i);
    if (packed(id) == packed_config) return id;
  }
  return std::nullopt;
}

ConfigId StudyConfigs::append(std::string_view packed_config) {
  bytes_ += packed_config;
  SIM_ASSERT(bytes_.size() <= std::numeric_limits<std::uint32_t>::max(), bytes_.size());
  ends_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  return static_cast<ConfigId>(ends_.size() - 1);
}

std::optional<ConfigId> StudyConfigs::find(const ConfigText& config) const {
  return words_ ? find(packed_text(config, *words_)) : std::nullopt;
}

ConfigId StudyConfigs::keep(const ConfigText& config) {
  const std::string bytes = packed_text(config, words());
  const std::optional<ConfigId> known = find(bytes);
  return known ? *known : append(bytes);
}

ConfigWords& StudyConfigs::words() {
  if (!words_) words_ = std::make_shared<ConfigWords>();
  return *words_;
}

ConfigId ConfigKeeper::keep(std::span<const ConfigWord> words) {
  const std::size_t before = configs_.bytes_.size();
  for (const ConfigWord word : words) pack(word, configs_.bytes_);
  const auto [known, is_new] = known_.insert(configs_.append({}));
  if (!is_new) {
    configs_.ends_.pop_back();
    configs_.bytes_.resize(before);
  }
  return *known;
}

ConfigId ConfigKeeper::keep(const ConfigText& config) {
  of_text_.clear();
  for (const auto& [name, value] : config) of_text_.push_back(words().word(name, value));
  return keep(of_text_);
}

}  // namespace cubicbench::search
