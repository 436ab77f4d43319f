// SPDX-License-Identifier: GPL-3.0-or-later
// NumbersPage: which numbers a file has.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "window/numbers.h"

#include <QWidget>

#include <functional>
#include <optional>

class QCheckBox;
class QComboBox;

namespace attenscope {

/// A form over the numbers of a document: of what, of which side of a comparison, all of them or what is in view.
class NumbersPage : public QWidget {
    Q_OBJECT

public:
    /// What numbers are of.
    enum Scope { ShownMap, AllHeads, HeadTable };

    NumbersPage(const Document &document, const Selection &selection, QWidget *parent = nullptr);

    [[nodiscard]] Scope scope() const;
    void setScope(Scope scope);
    /// For settings: by number, the nearest that there is.
    void restoreScope(int scope);
    /// What the boxes offer, after the document or the selection changed.
    void follow();
    /// Which maps there are, after the document changed.
    void updateSides();
    /// What a file of @p format will have. Errors: why there can be none.
    [[nodiscard]] Result<QString> description(NumbersFormat format) const;
    /// What writes the file @p path, to be done in a job. Errors: there are no such numbers.
    [[nodiscard]] Result<std::function<Result<void>(const Run &)>> writer(const QString &path, NumbersFormat format) const;

signals:
    void changed();

private:
    [[nodiscard]] Side side() const;
    [[nodiscard]] Result<MapNumbers> numbers() const;
    /// What is in view, or of a long map that is seen as a whole a part that can be written.
    [[nodiscard]] std::optional<CellRect> region() const;

    const Document &m_document;
    const Selection &m_selection;
    QComboBox *m_scope = nullptr;
    QComboBox *m_side = nullptr;
    QCheckBox *m_inView = nullptr;
};

} // namespace attenscope
