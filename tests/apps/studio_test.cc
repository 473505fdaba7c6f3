// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// `vinculum studio` as a browser meets it: asked over a socket.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

constexpr const char* kSled = R"(vinculum: 1
name: sled
parameters: { push: 2 N, drag: 0.5 }
bodies: { sled: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 0 } }
forces: { push: { joint: sled, law: "push - drag*sled'" } }
initial: { sled: 1 m }
)";

class StudioServer : public InScratchFolder {
 protected:
  void TearDown() override {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    InScratchFolder::TearDown();
  }

  // Starts the program and waits for the line that says where it is.
  void start(const std::string& model) {
    std::filesystem::create_directories(folder_ / "tmp");
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    std::fflush(nullptr);
    child_ = fork();
    if (child_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
      execl(VINCULUM_PROGRAM, "vinculum", "studio", model.c_str(), "--port", "0", "--run", "--until 1", nullptr);
      _exit(127);
    }
    close(ends[1]);
    std::string line;
    for (char c; read(ends[0], &c, 1) == 1 && c != '\n';) line += c;
    close(ends[0]);
    if (line.find("built without") != std::string::npos || line.empty()) GTEST_SKIP() << "there is no page in this program";
    const std::string before = "http://127.0.0.1:";
    ASSERT_NE(line.find(before), std::string::npos) << line;
    port_ = std::stoi(line.substr(line.find(before) + before.size()));
  }

  // The status and the body of the answer to a request.
  std::pair<int, std::string> ask(const std::string& target, const std::string& more = "", std::string host = "") const {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    if (connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return {0, ""};
    if (host.empty()) host = "127.0.0.1:" + std::to_string(port_);
    const std::string request = "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + more + "\r\n";
    send(socket, request.data(), request.size(), 0);
    std::string answer;
    char bytes[4096];
    for (ssize_t count; (count = recv(socket, bytes, sizeof bytes, 0)) > 0;) answer.append(bytes, static_cast<size_t>(count));
    close(socket);
    return {std::stoi("0" + answer.substr(std::min<size_t>(9, answer.size()), 3)), answer.substr(answer.find("\r\n\r\n") + 4)};
  }
  nlohmann::json ask_json(const std::string& target) const { return nlohmann::json::parse(ask(target).second); }

  // The document inside a page.
  static nlohmann::json data_of(const std::string& page) {
    const std::string mark = "id=\"vinculum-data\">";
    const size_t begin = page.find(mark) + mark.size();
    return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  }

  int port_ = 0;
  pid_t child_ = -1;
};

TEST_F(StudioServer, ShowsRunsAgainAndTellsWhatIsWrong) {
  const std::string model = write("sled.yaml", kSled);
  start(model);
  if (IsSkipped()) return;
  EXPECT_NE(ask("/").second.find("Vinculum studio"), std::string::npos);
  EXPECT_EQ(ask("/nothing").first, 404);

  const auto known = ask_json("/model");
  EXPECT_EQ(known["name"], "sled");
  EXPECT_EQ(known["options"], "--until 1");
  EXPECT_EQ(known["parameters"],
            nlohmann::json::parse(R"([{"name":"push","value":2.0,"unit":""},{"name":"drag","value":0.5,"unit":""}])"));
  EXPECT_EQ(known["initial"], nlohmann::json::parse(R"([{"name":"sled","value":1.0,"unit":"m"}])"));
  EXPECT_EQ(known["others"][0]["name"], "sled'");

  // The same run as on the command line, verdicts included, with what was set.
  const auto run = ask_json("/run?options=--until+1&set=push%3D3&set=sled%3D0");
  EXPECT_EQ(run["report"], true) << run;
  EXPECT_TRUE(run["diagnostics"].empty()) << run;
  const auto page = data_of(ask("/report").second);
  ASSERT_EQ(this->run("simulate sled.yaml --until 1 --set push=3 --set sled=0 --output out").exit_code, 0);
  const auto same = data_of(read_file(folder_ / "out/report.html"));
  EXPECT_EQ(page["verdicts"], same["verdicts"]);
  EXPECT_GE(page["verdicts"].size(), 3u);
  EXPECT_EQ(page["series"], same["series"]);

  // What is wrong with a request.
  const auto wrong = ask_json("/run?options=--until+1&set=pusch%3D3");
  EXPECT_EQ(wrong["report"], false);
  EXPECT_EQ(wrong["diagnostics"][0]["hint"], "did you mean 'push'?");
  EXPECT_EQ(ask_json("/run?options=--until+1+--output+/tmp/x")["report"], false);
  EXPECT_EQ(ask_json("/run?options=--untill+1")["diagnostics"][0]["code"], "VN-USAGE-001");

  // The file is broken, and mended.
  const auto before = ask_json("/stamp")["stamp"];
  std::string broken = kSled;
  broken.replace(broken.find("mass: 1"), 7, "mas: 10");
  write("sled.yaml", broken);
  EXPECT_NE(ask_json("/stamp")["stamp"], before);
  const auto told = ask_json("/model");
  EXPECT_FALSE(told.contains("parameters"));
  EXPECT_EQ(told["diagnostics"][0]["line"], 4);
  EXPECT_EQ(told["diagnostics"][0]["hint"], "did you mean 'mass'?");
  EXPECT_EQ(ask_json("/run?options=--until+1")["report"], false);
  write("sled.yaml", kSled);
  EXPECT_EQ(ask_json("/run?options=--until+1")["report"], true);
}

// Pages of other sites, and readers on other machines by another name, get nothing; a reader who says nothing is not waited for.
// A run that would wait for standard input is refused, at the start and from the page, and the server goes on to answer.
TEST_F(StudioServer, ReadsNothingFromStandardInput) {
  write("sled.yaml", kSled);
  for (const char* options : {"--until 1 --state -", "--until 1 --state=-"}) {
    const auto refused = run(std::string("studio sled.yaml --port 0 --run \"") + options + "\" < /dev/null");
    if (refused.errors.find("built without") != std::string::npos) GTEST_SKIP() << "there is no page in this program";
    EXPECT_EQ(refused.exit_code, 2) << refused.errors;
    EXPECT_NE(refused.errors.find("VN-USAGE-011"), std::string::npos) << refused.errors;
  }
  start((folder_ / "sled.yaml").string());
  const auto [status, text] = ask("/run?options=--until%201%20--state%20-");
  EXPECT_EQ(status, 200);
  EXPECT_EQ(nlohmann::json::parse(text)["diagnostics"][0]["code"], "VN-USAGE-011") << text;
  EXPECT_EQ(ask("/stamp").first, 200);
}

TEST_F(StudioServer, IsForThisMachineOnly) {
  start(write("sled.yaml", kSled));
  if (IsSkipped()) return;
  EXPECT_EQ(ask("/model", "", "evil.example").first, 403);
  EXPECT_EQ(ask("/model", "Sec-Fetch-Site: cross-site\r\n").first, 403);
  EXPECT_EQ(ask("/model", "Sec-Fetch-Site: same-origin\r\n").first, 200);
  const int silent = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port_));
  ASSERT_EQ(connect(silent, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(ask("/stamp").first, 200);
  close(silent);
  // The port is taken: another one is told what to do.
  const auto second = this->run("studio sled.yaml --port " + std::to_string(port_));
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_NE(second.errors.find("VN-USAGE-012"), std::string::npos) << second.errors;
}

TEST_F(StudioServer, EndsAtCtrlCAndLeavesNothing) {
  start(write("sled.yaml", kSled));
  if (IsSkipped()) return;
  EXPECT_EQ(ask_json("/run?options=--until+1")["report"], true);
  EXPECT_FALSE(std::filesystem::is_empty(folder_ / "tmp"));
  kill(child_, SIGINT);
  int status = 0;
  waitpid(child_, &status, 0);
  child_ = -1;
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "tmp"));
}

}  // namespace
}  // namespace vinculum::testing
