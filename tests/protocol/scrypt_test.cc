// RFC 7914, section 12.
#include <gtest/gtest.h>

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"

namespace parley::protocol {
namespace {

TEST(Scrypt, the_rfcs_vectors) {
  EXPECT_EQ(Hex(Scrypt("", "", {16, 1, 1}, 64)),
            "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
            "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906");
  EXPECT_EQ(Hex(Scrypt("password", "NaCl", {1024, 8, 16}, 64)),
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
            "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640");
  EXPECT_EQ(Hex(Scrypt("pleaseletmein", "SodiumChloride", {16384, 8, 1}, 64)),
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
            "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887");
}

}  // namespace
}  // namespace parley::protocol
