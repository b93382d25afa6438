// Files of the repository that tests compare with: generated documents, rows of earlier releases. Only
// repository.cc is compiled with the path of the repository, so that all other files are the same for the
// compiler's cache in every clone.
#pragma once

#include <string>

namespace parley::tests {

std::string RepositoryPath(const std::string& path);
// Returns the whole file, or "" if it is missing.
std::string RepositoryText(const std::string& path);

}  // namespace parley::tests
