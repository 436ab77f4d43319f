// SPDX-License-Identifier: GPL-3.0-or-later
// FigureSeries: the shown view of every head, a file for each, while the window goes on.
#pragma once

#include "state/document.h"
#include "state/figure.h"
#include "state/selection.h"

#include <QObject>
#include <QString>

#include <vector>

namespace attenscope {

/// Works on a document of its own, so that the window keeps its head. Files are named by headPath(); those that exist are replaced. Deleting it stops it;
/// what was written stays. GUI thread only: draws a head each time that nothing else is to be done.
class FigureSeries : public QObject {
    Q_OBJECT

public:
    /// Of all heads of the block of @p document's head.
    FigureSeries(
        const Document &document, const Selection &selection, const FigureOptions &options, QString path, QObject *parent = nullptr);

    void cancel();

signals:
    void progress(int written, int all);
    void finished(int written);
    void failed(const attenscope::Error &error);

private:
    /// The next head, if it is ready.
    void step();

    FigureOptions m_options;
    QString m_path;
    Document m_document;
    Selection m_selection;
    std::vector<HeadRef> m_heads;
    std::size_t m_next = 0;
    bool m_isStopped = false;
};

} // namespace attenscope
