// SPDX-License-Identifier: GPL-3.0-or-later
// ExportDialog: a figure or numbers of what is shown, with the size said and a preview before anything is written.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "state/settings.h"
#include "window/figure_page.h"
#include "window/numbers_page.h"

#include <QDialog>

#include <functional>
#include <optional>

class QAbstractButton;
class QComboBox;
class QLabel;
class QTimer;

namespace attenscope {

class FigureSeries;

/// Stays open beside the window and follows the document. Remembers its choices.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    ExportDialog(Document &document, Selection &selection, QWidget *parent = nullptr);

    /// What a picture is of.
    enum Subject { View, Grid, Series, Table, Patches };

    /// What the controls say.
    [[nodiscard]] Subject subject() const;
    [[nodiscard]] FigureOptions figureOptions() const;
    /// Unset: a picture.
    [[nodiscard]] std::optional<NumbersFormat> numbersFormat() const;
    /// Writes to @p path, with the extension of the format added where there is none.
    void write(QString path);

signals:
    /// Of a series the first file.
    void exported(const QString &path, int files);
    void failed(const attenscope::Error &error);

public slots:
    /// While something is being written: stops that.
    void reject() override;

protected:
    void done(int result) override;

private:
    void restoreChoices();
    void storeChoices() const;
    void updateControls();
    void followFormat();
    void updatePreview();
    void choosePath();
    void writeView(const QString &path);
    void writeSeries(const QString &path);
    void stopSeries();
    /// Of one file: of a series that of the shown head.
    [[nodiscard]] Result<Figure> figure(const FigureOptions &options) const;
    void setWriting(bool isWriting);
    [[nodiscard]] int seriesCount() const;
    /// Does @p work in a job, with Cancel.
    void writeInJob(const QString &path, std::function<Result<void>(const Run &)> work);
    [[nodiscard]] QString extension() const;
    /// What a file of the picture will be. Errors: why there can be none.
    [[nodiscard]] Result<QString> description() const;

    Document &m_document;
    Selection &m_selection;
    Settings m_settings;
    Job m_job;
    FigureSeries *m_series = nullptr;
    bool m_isWriting = false;
    bool m_isOfNumbers = false; ///< As the controls were updated last.
    QString m_folder;

    QComboBox *m_format = nullptr;
    NumbersPage *m_numbers = nullptr; ///< In place of m_figure.
    QComboBox *m_subject = nullptr;
    FigurePage *m_figure = nullptr;
    QLabel *m_said = nullptr;
    QLabel *m_preview = nullptr;
    QAbstractButton *m_export = nullptr;
    QAbstractButton *m_close = nullptr;
    QTimer *m_timer = nullptr;
};

} // namespace attenscope
