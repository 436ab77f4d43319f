// SPDX-License-Identifier: GPL-3.0-or-later
// Names of patterns, and the reasons against one.
#include "state/head_pattern.h"

#include <QCoreApplication>

namespace attenscope {

namespace {

QString patternWords(const char *text)
{
    return QCoreApplication::translate("HeadPattern", text);
}

} // namespace

HeadPattern headPattern(const Document &document, const HeadRef &head)
{
    return headPattern(document, head, document.result()->summary(head));
}

HeadPattern headPattern(const Document &document, const HeadRef &head, const HeadSummary *summary)
{
    const QString none = QStringLiteral("–");
    if (document.input()->blocks[static_cast<std::size_t>(head.block)].isUntrained)
        return { std::nullopt, none, patternWords("untrained, random weights: no name") };
    if (!summary)
        return { std::nullopt, QStringLiteral("…"), patternWords("not computed yet") };
    if (summary->rows == 0)
        return { std::nullopt, none,
            summary->otherRows > 0     ? patternWords("no row is a distribution")
                : summary->nanRows > 0 ? patternWords("every row has NaN")
                                       : patternWords("every key is masked") };
    if (!summary->isComplete)
        return { std::nullopt, QStringLiteral("…"), patternWords("not summed up yet") };
    const FoundPattern found = findPattern(*summary, document.patternRules());
    return { found.pattern, found.pattern ? QString::fromStdString(patternName(*found.pattern)) : none,
        QString::fromStdString(found.rule) };
}

} // namespace attenscope
