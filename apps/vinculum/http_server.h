// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/verdict/outcome.h"

namespace vinculum::app {

struct HttpRequest {
  std::string path;                                        // "/run"
  std::vector<std::pair<std::string, std::string>> query;  // ?set=mu=0.3&.., decoded, in their order
};

struct HttpReply {
  int status = 200;
  std::string type = "text/html; charset=utf-8";
  std::string body;
};

// A server for one reader on this machine: it listens at 127.0.0.1 and nowhere else, answers GET, one request after the other,
// and refuses what another site's page asks for (by `Host` and `Sec-Fetch-Site`).
class HttpServer {
 public:
  // Port 0: any that is free.
  static Outcome<HttpServer> listen(int port);
  HttpServer(HttpServer&& other) noexcept;
  HttpServer(const HttpServer&) = delete;
  ~HttpServer();

  int port() const { return port_; }

  // Until `wants_to_stop`, which is asked several times a second.
  void serve(const std::function<HttpReply(const HttpRequest&)>& answer, const std::function<bool()>& wants_to_stop);

 private:
  HttpServer(int socket, int port) : socket_(socket), port_(port) {}
  HttpReply answer_to(const std::string& head, const std::function<HttpReply(const HttpRequest&)>& answer) const;

  int socket_ = -1;
  int port_ = 0;
};

}  // namespace vinculum::app
