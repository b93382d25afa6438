#include "tests/repository.h"

#include <fstream>
#include <sstream>

namespace parley::tests {

std::string RepositoryPath(const std::string& path) {
  return PARLEY_SOURCE_DIR "/" + path;
}

std::string RepositoryText(const std::string& path) {
  std::ifstream in(RepositoryPath(path));
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

}  // namespace parley::tests
