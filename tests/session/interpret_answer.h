// SPDX-License-Identifier: GPL-3.0-or-later
// What tests ask of interpret(): the input, what is said of it, or why there is none.
#pragma once

#include "array_tools.h"
#include "session/source.h"

#include <QString>

#include <algorithm>

namespace attenscope::test {

struct Answer {
    AttentionInput input;
    std::vector<std::string> notes;
    QString error;
};

inline Answer answerOf(const TensorSet &set, const std::vector<TensorUse> &uses, const std::vector<std::string> &queries = {},
    const std::vector<std::string> &keys = {})
{
    Answer answer;
    const auto input = interpret(set, uses, queries, keys, &answer.notes);
    if (input)
        answer.input = *input;
    else
        answer.error = QString::fromStdString(input.error().sentence());
    return answer;
}

inline Answer answerOf(const TensorSet &set)
{
    return answerOf(set, recognise(set));
}

inline const RecordedData &recorded(const AttentionBlock &block)
{
    return std::get<RecordedData>(block.data);
}

inline const ProjectedData &projected(const AttentionBlock &block)
{
    return std::get<ProjectedData>(block.data);
}

inline bool hasNote(const Answer &answer, const std::string &text)
{
    return std::any_of(
        answer.notes.begin(), answer.notes.end(), [&](const std::string &note) { return note.find(text) != std::string::npos; });
}

inline TokenList list(const std::string &name, Index count)
{
    return { name, "test.json", numbered(count) };
}

} // namespace attenscope::test
