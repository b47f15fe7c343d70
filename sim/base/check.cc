#include "sim/base/check.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace cubicbench::sim {

std::string AssertedValue::text() const {
  char digits[32];
  char* end = digits;
  switch (kind_) {
    case Kind::text:
      return std::string(text_);
    case Kind::real:
      end = std::to_chars(digits, digits + sizeof digits, real_).ptr;
      break;
    case Kind::integer:
      end = std::to_chars(digits, digits + sizeof digits, integer_).ptr;
      break;
    case Kind::natural:
      end = std::to_chars(digits, digits + sizeof digits, natural_).ptr;
      break;
  }
  return std::string(digits, end);
}

void invariant_broken(const char* file, int line, const char* condition, const char* names,
                      std::initializer_list<AssertedValue> values) {
  std::string listed;
  for (const AssertedValue& value : values) listed += (listed.empty() ? "" : ", ") + value.text();
  std::fprintf(stderr, "%s:%d: broken invariant: %s", file, line, condition);
  if (values.size() > 0) std::fprintf(stderr, ", where %s = %s", names, listed.c_str());
  std::fputc('\n', stderr);
  std::fflush(stderr);
  std::abort();
}

}  // namespace cubicbench::sim
