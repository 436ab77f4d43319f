// SPDX-License-Identifier: GPL-3.0-or-later
// WalkExportDialog: the shown state of a walk, all of its states, or an animation, as files.
#pragma once

#include "state/job.h"
#include "state/settings.h"
#include "views/steps/steps_view.h"
#include "window/walk_files.h"

#include <QDialog>

class QAbstractButton;
class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace attenscope {

enum class WalkScope { State, Series, Animation };

/// Stays open beside the window and exports what the view shows when the button is pressed. Series and animations are written with progress
/// and can be cancelled.
class WalkExportDialog : public QDialog {
    Q_OBJECT

public:
    WalkExportDialog(const Document &document, const StepsView &view, QWidget *parent = nullptr);

    [[nodiscard]] WalkScope scope() const;
    [[nodiscard]] WalkFileOptions options() const;
    [[nodiscard]] QString extension() const;
    /// Writes to @p path, with the extension added where there is none; a series beside it.
    void write(QString path);

signals:
    void exported(const QString &path, int files);
    void failed(const attenscope::Error &error);

protected:
    void done(int result) override;

private:
    void updateControls();
    void choosePath();
    void setWriting(bool isWriting);

    /// What files are called: as the document is now.
    [[nodiscard]] QString name() const;

    const Document &m_document;
    const StepsView &m_view;
    Settings m_settings;
    QComboBox *m_scope = nullptr;
    QComboBox *m_format = nullptr;
    QSpinBox *m_width = nullptr;
    QSpinBox *m_height = nullptr;
    QComboBox *m_letters = nullptr;
    QComboBox *m_ground = nullptr;
    QLabel *m_said = nullptr;
    QProgressBar *m_progress = nullptr;
    QAbstractButton *m_export = nullptr;
    QPushButton *m_cancel = nullptr;
    Job m_job; ///< Last: stopped before what it delivers to goes.
};

} // namespace attenscope
