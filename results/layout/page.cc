#include "results/layout/page.h"

#include "results/document/markup.h"
#include "results/document/page_style.h"

namespace cubicbench::results {
std::string page_html(std::string_view title, std::string_view body) {
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>";
  html += escaped(title);
  html += "</title>\n<style>";
  html += page_style;
  html += "</style>\n</head>\n<body>\n<main>\n<h1>" + escaped(title) + "</h1>\n";
  html += body;
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace cubicbench::results
