// SPDX-License-Identifier: GPL-3.0-or-later
// Tables, JSON and token lists in text files.
#pragma once

#include "io/file_contents.h"

#include <string>

namespace attenscope {

/// A table of numbers (CSV, TSV, spaces) is one tensor with two axes; see number_table.h. Rows of different length are kept (FileContents::rowLengths),
/// cells left out between numbers become NaN, both with a note. @p text is UTF-8.
Result<FileContents> readTableFile(const std::string &text, const std::string &file);

/// A nested list of numbers is one tensor; in an object each member is one of its own, "a.b" for objects in objects; lists of strings are token
/// lists; single values are passed over. Lists of the innermost axis may differ in length if they do so in the same way everywhere.
/// Errors: not JSON, ragged in another way, text among numbers.
Result<FileContents> readJsonFile(const std::string &text, const std::string &file);

/// A table of numbers with at least two columns, else a token list with one token per line.
Result<FileContents> readTextFile(const std::string &text, const std::string &file);

} // namespace attenscope
