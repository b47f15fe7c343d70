// Random search as a program outside, in one file: what an external searcher has to do and no more.
//
//   cubicbench search tiny-llama --searcher "external:./random_search" --out out/mine
//
// It reads messages on standard input and answers on standard output, a line of JSON each.
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

using Json = nlohmann::ordered_json;

namespace {

/// One of the rows where the space is a list of them. Else every parameter gets one of its values,
/// each as likely as another. The suite ignores those that are not active, so that `when` need not
/// be read.
Json random_config(const Json& space, std::mt19937_64& random) {
  if (space.contains("configs")) return space["configs"][random() % space["configs"].size()];
  Json config;
  for (const Json& parameter : space["parameters"]) {
    const Json& values = parameter["values"];
    config[parameter["name"].get<std::string>()] = values[random() % values.size()];
  }
  return config;
}

void answer(const Json& message) { std::cout << message.dump() << std::endl; }

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);  // else every character is a call
  Json space;
  std::mt19937_64 random;
  for (std::string line; std::getline(std::cin, line);) {
    const Json message = Json::parse(line);
    const std::string type = message["type"];
    if (type == "hello") {  // a study begins, and everything anew
      space = message["space"];
      random.seed(message["seed"].get<std::uint64_t>());
      answer({{"type", "ready"},
              {"protocol", 1},
              {"name", "random"},
              {"batch", 64},
              {"studies", 1000}});
    } else if (type == "ask") {
      Json configs = Json::array();
      for (int i = 0; i < message["n"].get<int>(); ++i) {
        configs.push_back(random_config(space, random));
      }
      answer({{"type", "propose"}, {"configs", configs}});
    } else if (type == "recommend") {  // null: the best mean of its measurements
      answer({{"type", "recommend"}, {"config", nullptr}});
    } else if (type == "stop") {
      return 0;
    }  // "tell" needs no answer, and random search learns nothing from it
  }
}
