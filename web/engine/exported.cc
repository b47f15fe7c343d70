#include <string>

#include "web/engine/answer.h"

/// The one function that JavaScript calls. The text belongs to this side until the next call.
extern "C" const char* cubicbench_answer(const char* request) {
  static std::string text;
  text = cubicbench::web::answer(request);
  return text.c_str();
}
