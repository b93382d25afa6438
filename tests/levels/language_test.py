"""Tests that scripts/check-language finds the prose of a file, and counts good and bad sentences as it should."""
import importlib.machinery
import importlib.util
import os
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SCRIPT = os.path.join(ROOT, "scripts", "check-language")


def load():
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("check_language", SCRIPT)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_language", loader))
    loader.exec_module(module)
    return module


language = load()


def found(text, extract=language.c_comments):
    """The patterns that occur in the text, each with its lines."""
    return {name: lines for name, lines in language.count(text, extract)[1].items() if lines}


class Counting(unittest.TestCase):
    def test_plain_sentences_have_no_pattern(self):
        for sentence in [
            "Enforces the tenants' rate limits on requests and on writes.",
            "Only failed credentials count against an address.",
            "Returns nullptr if the thread is unknown.",
            "Seeded when a thread is opened, then updated on every block and unblock.",
            "The author, or nullopt for system and restricted messages.",
            "Retold stories, whatnot and foretold things are other words.",
            "The stories are held together, and hold.",
        ]:
            self.assertEqual(found("// " + sentence), {}, sentence)

    def test_each_pattern_finds_its_sentence(self):
        for name, sentence in {
            "What ... as a subject": "What a case decides is final.",
            "Who ... as a subject": "It ends. Who wrote a message is known.",
            "Whoever": "It answers whoever asks.",
            "Of ... at the beginning": "Of an address only failures are counted.",
            "To whom, of whom": "The user of whom it speaks.",
            "of which": "Rows of which some are old.",
            "what": "It counts what requests cost.",
            "told": "Sessions are told of it.",
            "heard": "Nothing was heard from it.",
            "anew": "It starts anew.",
            "is to be": "The row is to be read.",
            "is to": "The row is to stay.",
            "to be had": "More was to be had.",
            "there is none": "Null if there is none.",
            "is not there": "The row is not there.",
            "nor of": "Nothing of it, nor of others.",
            "behind": "It runs behind the sweep.",
            "goes": "The oldest row goes.",
            "where": "Null where the row is old.",
            "nobody": "A row that nobody reads.",
            "meanwhile": "It was swept meanwhile.",
            "holds": "It holds.",
            "say": "As the settings say.",
            "stands": "The row stands in the table.",
        }.items():
            self.assertIn(name, found("// " + sentence), sentence)

    def test_every_pattern_is_tried_and_has_two_figures(self):
        for name, _, limits in language.COMPILED:
            self.assertEqual(len(limits), 2, name)
            self.assertLess(max(limits), 1, name)

    def test_a_pattern_of_the_beginning_counts_only_there(self):
        self.assertNotIn("What ... as a subject", found("// It knows what it does."))
        self.assertIn("What ... as a subject", found("// It is long. What it does\n// is unknown."))

    def test_questions_do_not_count(self):
        self.assertEqual(found("// What happens where nobody looks?"), {})

    def test_a_sentence_may_span_lines_and_reports_the_line_of_the_pattern(self):
        self.assertEqual(found("int a;\n// Nothing was\n// told\n// them.\n")["told"], [3])

    def test_quoted_words_and_code_do_not_count(self):
        self.assertEqual(found('// The reason "told", the field `anew`.'), {})

    def test_words_are_counted(self):
        self.assertEqual(language.count("// Five words are in here.\nint no_comment;", language.c_comments)[0], 5)


class Prose(unittest.TestCase):
    def lines(self, extract, text):
        return [line.strip() for _, _, line in extract(text) if line.strip()]

    def test_comments_of_cpp_without_strings_and_characters(self):
        text = """const char* kUrl = "http://told"; char quote = '"';  // one
int n = 1'000;  /* two
 * three */
auto raw = R"x(// told)x";  // four
"""
        self.assertEqual(self.lines(language.c_comments, text), ["one", "two", "three", "four"])

    def test_comments_of_typescript_without_templates(self):
        text = "const a = `// told ${b}`;  // one\n/** two */\nconst c = 'http://told';\n"
        self.assertEqual(self.lines(language.c_comments, text), ["one", "two"])

    def test_comments_of_scripts(self):
        text = "#!/bin/sh\n# one\nx=${#told}  # two\necho '# told'\n"
        self.assertEqual(self.lines(language.hash_comments, text), ["one", "two"])

    def test_markdown_without_fences(self):
        text = "# One\ntwo\n```\ntold\n```\n* three\n| four | five |\n"
        self.assertEqual(self.lines(language.markdown_text, text), ["One", "two", "three", "four", "five"])

    def test_a_comment_beside_code_is_a_sentence_of_its_own(self):
        self.assertIn("What ... as a subject", found("int a;  // a number\nint b;  // what it costs\n"))

    def test_a_row_of_a_table_is_no_continuation(self):
        self.assertIn("What ... as a subject", found("| a | what it costs |\n", language.markdown_text))


class Limits(unittest.TestCase):
    def complaints(self, text):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "a.h"), "w", encoding="utf-8") as file:
                file.write(text)
            return language.complaints([folder])

    def test_a_folder_above_a_limit_is_reported_with_its_places(self):
        out = self.complaints("// Plain.\n\n// They were told.\n")
        self.assertEqual(len(out), 2, out)
        self.assertIn('"told" 1 times in 4 words; at most 0', out[0])
        self.assertTrue(out[1].endswith("a.h:3"), out)

    def test_a_folder_below_the_limits_is_silent(self):
        self.assertEqual(self.complaints("// It knows what it does.\n" + "// It is plain.\n" * 500), [])

    def test_generated_and_unknown_files_are_skipped(self):
        self.assertIsNone(language.kind_of("a.json", "told"))
        self.assertIsNone(language.kind_of("a", "told"))
        self.assertIs(language.kind_of("a", "#!/usr/bin/env bash\n"), language.hash_comments)

    def test_folders_that_are_done_exist(self):
        for folder in language.FOLDERS:
            self.assertTrue(os.path.exists(os.path.join(ROOT, folder)), folder)


if __name__ == "__main__":
    unittest.main()
