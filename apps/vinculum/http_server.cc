// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

#include <fmt/core.h>

namespace vinculum::app {

namespace {

constexpr size_t kLongestHead = 64 * 1024;  // bytes of a request
constexpr size_t kMostConnections = 64;     // browsers open some that they never use

// %41 is A and + a blank, as forms write them.
std::string decode(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const bool is_coded = text[i] == '%' && i + 2 < text.size() &&
                          std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ptr == text.data() + i + 3;
    if (is_coded) {
      plain += static_cast<char>(byte);
      i += 2;
    } else {
      plain += text[i] == '+' ? ' ' : text[i];
    }
  }
  return plain;
}

// GET /run?a=1&b=2 HTTP/1.1
HttpRequest read_request(std::string_view target) {
  HttpRequest request;
  const size_t mark = std::min(target.find('?'), target.size());
  request.path = decode(target.substr(0, mark));
  std::string_view rest = target.substr(std::min(mark + 1, target.size()));
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    const size_t equals = std::min(part.find('='), part.size());
    request.query.emplace_back(decode(part.substr(0, equals)), decode(part.substr(std::min(equals + 1, part.size()))));
  }
  return request;
}

// The value of a header; empty if it is not there.
std::string find_header(const std::string& head, std::string_view name) {
  for (size_t begin = head.find("\r\n"); begin != std::string::npos; begin = head.find("\r\n", begin + 2)) {
    const std::string_view line = std::string_view(head).substr(begin + 2);
    const size_t colon = line.find(':');
    const bool is_it = colon == name.size() && std::equal(name.begin(), name.end(), line.begin(), [](char a, char b) {
                         return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
                       });
    if (!is_it) continue;
    std::string_view value = line.substr(colon + 1, line.find("\r\n") - colon - 1);
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    return std::string(value);
  }
  return "";
}

void send_all(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;  // the reader has gone
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
}

}  // namespace

Outcome<HttpServer> HttpServer::listen(int port) {
  const auto fail = [&](int socket) {
    const std::string reason = std::strerror(errno);
    if (socket >= 0) close(socket);
    return Failure{"VN-USAGE-012", fmt::format("port {} of 127.0.0.1 cannot be used: {}", port, reason),
                   "another program has it; give another one with --port, or 0 for any that is free"};
  };
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return fail(socket);
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (bind(socket, any, size) != 0 || ::listen(socket, 16) != 0 || getsockname(socket, any, &size) != 0) return fail(socket);
  return HttpServer(socket, ntohs(address.sin_port));
}

HttpServer::HttpServer(HttpServer&& other) noexcept : socket_(std::exchange(other.socket_, -1)), port_(other.port_) {}

HttpServer::~HttpServer() {
  if (socket_ >= 0) close(socket_);
}

HttpReply HttpServer::answer_to(const std::string& head, const std::function<HttpReply(const HttpRequest&)>& answer) const {
  const std::string host = find_header(head, "host"), from = find_header(head, "sec-fetch-site");
  const bool is_ours = host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_);
  if (!is_ours || from == "cross-site" || from == "same-site") return {403, "text/plain", "only for pages of this server\n"};
  const size_t begin = head.find(' '), end = head.find(' ', begin + 1);
  if (!head.starts_with("GET /") || end == std::string::npos) return {405, "text/plain", "only GET is answered\n"};
  return answer(read_request(std::string_view(head).substr(begin + 1, end - begin - 1)));
}

// A browser may keep connections open without a word: what is ready is read, and nobody is waited for.
void HttpServer::serve(const std::function<HttpReply(const HttpRequest&)>& answer, const std::function<bool()>& wants_to_stop) {
  struct Connection {
    int socket;
    std::string head;
  };
  std::vector<Connection> connections;
  while (!wants_to_stop()) {
    std::vector<pollfd> waiting{{socket_, POLLIN, 0}};
    for (const Connection& connection : connections) waiting.push_back({connection.socket, POLLIN, 0});
    constexpr int kMilliseconds = 200;
    if (poll(waiting.data(), waiting.size(), kMilliseconds) <= 0) continue;
    for (size_t i = connections.size(); i-- > 0;) {  // from the end, for they are taken out
      if (waiting[i + 1].revents == 0) continue;
      Connection& connection = connections[i];
      char bytes[4096];
      const ssize_t count = recv(connection.socket, bytes, sizeof bytes, 0);
      if (count > 0) connection.head.append(bytes, static_cast<size_t>(count));
      const bool complete = connection.head.find("\r\n\r\n") != std::string::npos;
      if (complete) {
        const HttpReply reply = answer_to(connection.head, answer);
        send_all(connection.socket,
                 fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n"
                             "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
                             reply.status, reply.status == 200 ? "OK" : "Refused", reply.type, reply.body.size()));
        send_all(connection.socket, reply.body);
      }
      if (!complete && count > 0 && connection.head.size() <= kLongestHead) continue;
      close(connection.socket);
      connections.erase(connections.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if ((waiting[0].revents & POLLIN) == 0) continue;
    const int socket = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) continue;
    const timeval patience{10, 0};  // with a reader who does not take the answer
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connections.size() >= kMostConnections) {
      close(connections.front().socket);
      connections.erase(connections.begin());
    }
    connections.push_back({socket, ""});
  }
  for (const Connection& connection : connections) close(connection.socket);
}

}  // namespace vinculum::app
