// Files of the repository that tests compare with: documents that are generated, rows of earlier releases.
// Only repository.cc is told where the repository is, so that everything else compiles to the same in every
// clone and comes from the compiler's cache.
#pragma once

#include <string>

namespace parley::tests {

std::string RepositoryPath(const std::string& path);
// All of the file; empty when there is none.
std::string RepositoryText(const std::string& path);

}  // namespace parley::tests
