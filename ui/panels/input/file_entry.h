// SPDX-License-Identifier: GPL-3.0-or-later
// FileEntry: one tensor or token list of a file with the choices of what it is.
#pragma once

#include "panels/controls.h"
#include "session/tensor_set.h"

#include <QComboBox>

namespace attenscope {

/// A combo box without a frame, its text at the right.
class QuietChoice : public QComboBox {
    Q_OBJECT

public:
    explicit QuietChoice(QWidget *parent = nullptr);
    void setFaint(bool isFaint);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    bool m_isFaint = false;
};

class FileEntry : public PanelRow {
    Q_OBJECT

public:
    /// Of a tensor.
    explicit FileEntry(const NamedTensor &tensor, QWidget *parent = nullptr);
    /// Of a token list.
    explicit FileEntry(const TokenList &list, QWidget *parent = nullptr);

    /// Emits nothing.
    void show(const TensorUse &use);

signals:
    void edited(const attenscope::TensorUse &use);

private:
    /// A role, and for what a model has several of, the block.
    struct Use {
        TensorRole role = TensorRole::Unused;
        BlockRole block = BlockRole::Plain;

        friend bool operator==(const Use &, const Use &) = default;
    };

    void build(const QString &name, const QString &file, const QString &kind);
    void choose(const Use &choice);
    void tint();

    Tensor m_tensor;
    bool m_isTensor = false;
    TensorUse m_use;
    std::vector<Use> m_choices; ///< As offered.
    std::vector<std::vector<Axis>> m_axes; ///< As offered.
    ElidedLabel *m_name = nullptr;
    QuietChoice *m_role = nullptr;
    QuietChoice *m_axisChoice = nullptr;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
};

/// "encoder attention", "mask, 1 = is hidden": a use in words.
[[nodiscard]] QString useName(TensorRole role, BlockRole block);
/// "layers, heads, queries, keys".
[[nodiscard]] QString axesText(const std::vector<Axis> &axes);

} // namespace attenscope
