// SPDX-License-Identifier: GPL-3.0-or-later
// MaskControls: the rows of the mechanism panel that say who may see whom.
#pragma once

#include "attention/mask.h"
#include "panels/controls.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;

namespace attenscope {

class MaskParameters;
class NumberField;

/// Rule, alignment, padding, a 0/1 matrix of the user's own, and masks that came with the data. Rows that do not apply are hidden.
class MaskControls : public QWidget {
    Q_OBJECT

public:
    explicit MaskControls(QWidget *parent = nullptr);

    /// Shows @p mask on @p block; emits nothing. Recorded blocks have the words for what is exact there. @p problem is what is wrong with
    /// this mask on this block; empty: nothing is.
    void show(const MaskSpec &mask, const AttentionBlock &block, int element, std::optional<Index> row, const QString &problem);
    /// Counts the keys that another @p row sees; unset: of every row.
    void followRow(std::optional<Index> row);
    /// While the input itself does not fit, nothing can be counted.
    void hideCounts();
    void focusRule();
    /// Whether the mask is being painted on the map.
    void setPainting(bool isPainting);
    /// Takes the 0/1 matrix in a file; what is wrong with it is said under the row.
    void loadMatrix(const QString &path);

signals:
    void edited(const attenscope::MaskSpec &mask, const QString &name, const QString &mergeKey);
    /// A drag is over: what follows is another step.
    void editingEnded();
    /// The mask is to be painted on the map, or not any more.
    void paintRequested(bool isOn);
    void attentionChanged(bool isOn);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void chooseRule(int choice);
    void pasteMatrix();
    void takeMatrix(const Matrix &numbers, const QString &name);
    void chooseFile();
    void showMatrix(const QString &problem);
    void showCounts();
    void keepNoteRoom();
    [[nodiscard]] QString visibleKeys(const Mask &mask) const;

    MaskSpec m_mask;
    Index m_queries = 0;
    Index m_keys = 0;
    AttentionBlock m_shape; ///< Queries and keys alone.
    bool m_isPainting = false;
    std::optional<Mask> m_visible; ///< Whose keys are counted; unset while they cannot be.
    std::optional<Index> m_row; ///< The row that is spoken of.
    bool m_isRecorded = false;
    bool m_wantsMatrix = false; ///< Chosen, though nothing has been pasted yet.
    BitMatrix m_counted; ///< Whose ones are m_allowedCells.
    Index m_allowedCells = 0;
    bool m_isSwapped = false; ///< Ones of the clipboard are hidden keys.
    BitMatrix m_swapped; ///< The matrix that was read so last, as it is in the mask.
    BitMatrix m_plain; ///< The one that was read the other way.

    QComboBox *m_rule = nullptr;
    QComboBox *m_alignment = nullptr;
    QComboBox *m_polarity = nullptr;
    NumberField *m_padding = nullptr;
    QCheckBox *m_fromFile = nullptr;
    LinkButton *m_paint = nullptr;
    MaskParameters *m_parameters = nullptr;
    LabelledRow *m_ruleRow = nullptr;
    LabelledRow *m_alignmentRow = nullptr;
    LabelledRow *m_matrixRow = nullptr;
    LabelledRow *m_paddingRow = nullptr;
    LabelledRow *m_fileRow = nullptr;
};

} // namespace attenscope
