#include "results/launch/launch_document.h"

#include <nlohmann/json.hpp>

#include "results/document/json.h"
#include "support/json/json_document.h"
#include "support/shell_word.h"

namespace cubicbench::results {
namespace {

using search::Launcher;
using search::OmittedSetting;
using search::ProgramCall;
using Json = nlohmann::ordered_json;

const Field<OmittedSetting> omitted_fields[] = {
    {{"setting", "SETTING"},
     [](const OmittedSetting& one) { return Cell(std::string(one.setting->name)); }},
    {{.key = "value", .heading = "VALUE", .in_json = false}, &OmittedSetting::value},
    {{"why", "WHY"}, &OmittedSetting::why}};

bool begins_line(const std::string& word) {
  return word.starts_with("--") || word.find('=') != std::string::npos;
}

}  // namespace

std::string command_text(const ProgramCall& call) {
  std::string text;
  for (std::size_t i = 0; i < call.command.size(); ++i) {
    const bool of_start = i <= call.start.size();
    if (i > 0) text += !of_start && begins_line(call.command[i]) ? " \\\n  " : " ";
    text += support::shell_word(call.command[i]);
  }
  return text;
}

Document launch_document(const std::string& scenario, const Launcher& launcher,
                         const ProgramCall& call) {
  Document document{.title = scenario + " with " + launcher.program + " " + launcher.version};
  document.add(Command{.text = command_text(call)});
  if (!call.file_text.empty()) {
    document.add(Paragraph{.text = "Before that, write the plan to " + call.file_name +
                                   " in the folder where it starts (--out does):"});
    document.add(Command{.text = call.file_text});
  }
  if (call.omitted.empty()) {
    document.add(Paragraph{.text = "It has every setting of this plan."});
  } else {
    document.add(Paragraph{.text = "Settings of this plan that it does not have:"});
    document.add(table_of<OmittedSetting>(call.omitted, omitted_fields));
  }
  document.add(Paragraph{
      .text = "Options of " + launcher.source + ". --model names " + launcher.model_help + ".",
      .note = true});
  return document;
}

Json launch_json(const Launcher& launcher, const ProgramCall& call) {
  Json document = support::new_document("launch");
  document["program"] = launcher.program;
  // The document's own version is that of this project.
  document["program_version"] = launcher.version;
  document["command"] = call.command;
  document["omitted"] = json_of(table_of<OmittedSetting>(call.omitted, omitted_fields));
  if (!call.file_text.empty()) {
    document["file"] = {{"name", call.file_name}, {"text", call.file_text}};
  }
  return document;
}

}  // namespace cubicbench::results
