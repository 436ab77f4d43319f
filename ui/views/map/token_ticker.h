// SPDX-License-Identifier: GPL-3.0-or-later
// Token axes: which tokens are named, and how a token is written on one line.
#pragma once

#include "core/matrix.h"

#include <QString>

#include <qcustomplot.h>

#include <string>
#include <vector>

namespace attenscope {

/// 1, 2, 5, 10, 20, 50, …: the first that puts names at least @p least pixels apart where a cell has @p cell pixels.
[[nodiscard]] Index labelStride(double cell, double least);

/// @p token on one line, cut to @p most characters as a reader counts them, the last of them "…". An empty token is "∅", spaces are "␣" or a leading
/// "·", and other invisible characters are shown by their picture.
[[nodiscard]] QString tokenText(const std::string &token, int most = 12);

/// How many of @p tokens have characters that no installed font has: such are drawn as boxes. @p fontFamily is asked first, then all others, as
/// when text is drawn.
[[nodiscard]] Index unreadableTokens(const std::vector<std::string> &tokens, const QString &fontFamily);
/// "12 tokens have characters that no installed font has"
[[nodiscard]] QString unreadableText(Index tokens);

/// The name on an axis: the token alone, or its position and the token in quotes. Without tokens the position is the name.
struct AxisLabel {
    QString position; ///< "1200", or empty.
    QString token; ///< "‘the’", "the", or empty.

    [[nodiscard]] QString text() const { return position.isEmpty() || token.isEmpty() ? position + token : position + u' ' + token; }
};
/// Of the token at @p index of @p tokens, whose position in the whole input is @p position.
[[nodiscard]] AxisLabel axisLabel(const std::vector<std::string> *tokens, Index index, Index position, bool withPosition, int most = 12);

/// Ticks of a token axis: the middle of every stride-th cell.
class TokenTicker : public QCPAxisTicker {
public:
    /// Of @p count cells.
    void setStride(Index stride, Index count);
    /// The named cells in @p range.
    [[nodiscard]] std::vector<Index> named(const QCPRange &range) const;

protected:
    void generate(const QCPRange &range, const QLocale &locale, QChar formatChar, int precision, QVector<double> &ticks,
        QVector<double> *subTicks, QVector<QString> *tickLabels) override;

private:
    Index m_stride = 1;
    Index m_count = 0;
};

} // namespace attenscope
