// SPDX-License-Identifier: GPL-3.0-or-later
// Draws head after head.
#include "window/figure_series.h"

#include "window/view_figure.h"

#include <QTimer>

namespace attenscope {

FigureSeries::FigureSeries(
    const Document &document, const Selection &selection, const FigureOptions &options, QString path, QObject *parent)
    : QObject(parent)
    , m_options(options)
    , m_path(std::move(path))
{
    HeadRef head = document.head();
    for (head.layer = 0; head.layer < document.block().layers; ++head.layer) {
        for (head.head = 0; head.head < headCount(document.block(), document.result()->spec); ++head.head)
            m_heads.push_back(head);
    }
    Session session = document.session();
    session.view.headsShown = HeadsShown::Single;
    session.view.head = m_heads.front();
    connect(&m_document, &Document::message, this, [this](const Message &message) {
        if (message.kind == Message::Kind::Error && !m_isStopped) {
            cancel();
            emit failed(message.error);
        }
    });
    m_document.reset(session);
    m_selection.restore(selection.state());
    connect(&m_document, &Document::resultChanged, this, &FigureSeries::step);
    QTimer::singleShot(0, this, &FigureSeries::step);
}

void FigureSeries::cancel()
{
    m_isStopped = true;
    m_document.cancel();
}

void FigureSeries::step()
{
    if (m_isStopped || !m_document.isCurrent())
        return;
    const HeadRef &head = m_heads[m_next];
    m_document.pickHead(head);
    if (!m_document.field() || (m_document.session().comparison && !m_document.field(Side::Comparison)))
        return;
    const Result<Figure> figure = viewFigure(m_document, m_selection, m_options);
    const int layers = m_heads.back().layer + 1;
    const int heads = m_heads.back().head + 1;
    const Result<void> written
        = figure ? writeFigure(headPath(m_path, head, layers, heads), *figure) : Result<void>(figure.error().at(m_path.toStdString()));
    if (!written) {
        cancel();
        emit failed(written.error());
        return;
    }
    ++m_next;
    emit progress(static_cast<int>(m_next), static_cast<int>(m_heads.size()));
    if (m_next == m_heads.size()) {
        cancel();
        emit finished(static_cast<int>(m_heads.size()));
        return;
    }
    QTimer::singleShot(0, this, &FigureSeries::step);
}

} // namespace attenscope
