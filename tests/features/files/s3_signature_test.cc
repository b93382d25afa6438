// The examples of Amazon's manual: "Signature Calculations for the Authorization Header" and "Authenticating
// Requests: Using Query Parameters".
#include "features/files/s3_signature.h"

#include <gtest/gtest.h>

#include "features/files/s3_xml.h"

namespace parley::features {
namespace {

S3Settings Example() {
  return {.bucket = "examplebucket",
          .prefix = "",
          .scheme = "https",
          .host = "examplebucket.s3.amazonaws.com",
          .base = "",
          .region = "us-east-1",
          .key = {"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""}};
}

const protocol::Time kThen = *protocol::ParseTime("2013-05-24T00:00:00.000Z");

std::string SignatureIn(const std::vector<std::pair<std::string, std::string>>& headers) {
  for (const auto& [name, value] : headers)
    if (name == "authorization") return value.substr(value.rfind('=') + 1);
  return "none";
}

TEST(S3Signature, of_a_part_of_an_object_is_that_of_the_manual) {
  S3Request request;
  request.path = S3PathOf(Example(), "test.txt");
  request.headers = {{"range", "bytes=0-9"}};
  EXPECT_EQ(SignatureIn(SignS3(Example(), request, kThen)),
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
}

TEST(S3Signature, of_a_list_is_that_of_the_manual) {
  S3Request request;
  request.path = "/";
  request.query = {{"max-keys", "2"}, {"prefix", "J"}};
  EXPECT_EQ(SignatureIn(SignS3(Example(), request, kThen)),
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

TEST(S3Signature, of_a_link_is_that_of_the_manual) {
  S3Request request;
  request.path = S3PathOf(Example(), "test.txt");
  EXPECT_EQ(
      PresignS3(Example(), request, kThen, 86'400),
      "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential="
      "AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-"
      "Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature="
      "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
}

TEST(S3Signature, has_the_token_of_a_temporary_key) {
  S3Settings settings = Example();
  settings.key.session_token = "TOKEN";
  const auto headers = SignS3(settings, {.path = "/x"}, kThen);
  EXPECT_TRUE(std::find(headers.begin(), headers.end(),
                        std::pair<std::string, std::string>("x-amz-security-token", "TOKEN")) !=
              headers.end());
  EXPECT_NE(PresignS3(settings, {.path = "/x"}, kThen, 60).find("X-Amz-Security-Token=TOKEN"),
            std::string::npos);
}

TEST(S3Path, is_encoded_and_begins_with_the_bucket_if_the_host_does_not) {
  S3Settings settings = Example();
  EXPECT_EQ(S3PathOf(settings, "de:mo/a b"), "/de%3Amo/a%20b");
  settings.base = "/examplebucket";
  settings.prefix = "files/";
  EXPECT_EQ(S3PathOf(settings, "demo/abc"), "/examplebucket/files/demo/abc");
}

// --- settings

S3Settings Read(const std::string& store, const std::string& endpoint = "",
                const std::string& path_style = "") {
  ::setenv("AWS_ACCESS_KEY_ID", "ID", 1);
  ::setenv("AWS_SECRET_ACCESS_KEY", "SECRET", 1);
  const auto settings = ReadS3Settings([&](std::string_view key) -> std::string {
    if (key == "files_store") return store;
    if (key == "files_s3_endpoint") return endpoint;
    if (key == "files_s3_path_style") return path_style;
    return key == "files_s3_region" ? "eu-west-1" : "";
  });
  return settings.ok() && *settings ? **settings : S3Settings{.bucket = "none"};
}

TEST(S3Settings, name_bucket_prefix_and_host) {
  const S3Settings amazon = Read("s3://my.bucket/some/where/");
  EXPECT_EQ(amazon.bucket, "my.bucket");
  EXPECT_EQ(amazon.prefix, "some/where/");
  EXPECT_EQ(amazon.scheme + "://" + amazon.host + amazon.base,
            "https://my.bucket.s3.eu-west-1.amazonaws.com");
  EXPECT_EQ(amazon.key.id + ":" + amazon.key.secret, "ID:SECRET");
  const S3Settings minio = Read("s3://files", "http://minio:9000/", "true");
  EXPECT_EQ(minio.prefix, "");
  EXPECT_EQ(minio.scheme + "://" + minio.host + minio.base, "http://minio:9000/files");
  EXPECT_EQ(Read("s3://files", "https://minio:443", "true").host, "minio") << "as HTTP sends it";
}

TEST(S3Settings, refuse_names_that_would_need_escapes) {
  for (const char* store :
       {"", "files", "s3://", "s3://a", "s3://UPPER", "s3://a/b/../c", "s3://abc/x y", "s3://abc//x"})
    EXPECT_EQ(Read(store).bucket, "none") << store;
  for (const char* endpoint :
       {"minio:9000", "ftp://minio", "http://", "http://user@minio", "http://minio/path"})
    EXPECT_EQ(Read("s3://files", endpoint).bucket, "none") << endpoint;
}

TEST(S3Key, is_read_from_the_lines_of_a_credentials_file) {
  const auto key = ParseS3Key("[default]\n aws_access_key_id = ID \naws_secret_access_key=a/b=c\r\n# end\n");
  ASSERT_TRUE(key);
  EXPECT_EQ(key->id + " " + key->secret + " " + key->session_token, "ID a/b=c ");
  EXPECT_EQ(ParseS3Key("aws_session_token=T\naws_access_key_id=I\naws_secret_access_key=S")->session_token,
            "T");
  EXPECT_FALSE(ParseS3Key("aws_access_key_id=ID"));
  EXPECT_FALSE(ParseS3Key(""));
}

// --- answers

TEST(S3Xml, gives_elements_in_order_and_their_texts_decoded) {
  constexpr std::string_view kList =
      "<?xml version=\"1.0\"?><List xmlns=\"x\"><Contents><Key>a&amp;b</Key></Contents><Contents><Key>c</Key>"
      "</Contents><Empty></Empty></List>";
  const auto contents = XmlElements(kList, "Contents");
  ASSERT_EQ(contents.size(), 2u);
  EXPECT_EQ(XmlText(contents[0], "Key"), "a&b");
  EXPECT_EQ(XmlText(contents[1], "Key"), "c");
  EXPECT_EQ(XmlText(kList, "Empty"), "");
  EXPECT_EQ(XmlText(kList, "Token"), std::nullopt);
  EXPECT_EQ(XmlText("<Key>cut", "Key"), std::nullopt);
}

}  // namespace
}  // namespace parley::features
