// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of the pattern rules.
#include "views/heads/pattern_rules_dialog.h"

#include "core/text.h"
#include "state/settings.h"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace attenscope {

namespace {

QLabel *note(const QString &text)
{
    auto *label = new QLabel(text);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

} // namespace

PatternRulesDialog::PatternRulesDialog(Document &document, QWidget *parent)
    : QDialog(parent)
    , m_document(document)
{
    setWindowTitle(tr("Pattern rules"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(16);
    column->addWidget(
        note(tr("A head gets the first name whose rule it fulfils, in this order: previous, next, own token, induction, first "
                "token, separator, uniform, local, broad; else it is mixed. It has no name where its rows have hardly any weight in what "
                "is shown. Names describe this input, not the head’s "
                "function.")));
    auto *form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    column->addLayout(form);
    const auto addSection = [&](const QString &title) {
        auto *label = new QLabel(title);
        QFont bold = label->font();
        bold.setBold(true);
        label->setFont(bold);
        label->setContentsMargins(0, form->rowCount() > 0 ? 8 : 0, 0, 0);
        form->addRow(label);
    };
    const auto addField = [&](const QString &label, double most, double step, int decimals, auto member, const QString &prefix = {}) {
        auto *field = new QDoubleSpinBox;
        field->setLocale(QLocale::c());
        field->setDecimals(decimals);
        field->setRange(decimals == 0 ? 1.0 : 0.0, most);
        field->setSingleStep(step);
        field->setPrefix(prefix);
        field->setMinimumWidth(112);
        field->setKeyboardTracking(false);
        field->setAccessibleName(label);
        const QString standard = QString::fromStdString(exactNumber(static_cast<double>(PatternRules().*member)));
        field->setToolTip(tr("From %1 to %2, default %3").arg(field->minimum()).arg(most).arg(standard));
        form->addRow(label, field);
        m_fields.push_back([field, member](const PatternRules &rules) {
            const QSignalBlocker quiet(field);
            field->setValue(static_cast<double>(rules.*member));
        });
        connect(field, &QDoubleSpinBox::valueChanged, this, [this, member](double value) {
            PatternRules rules = m_document.patternRules();
            rules.*member = static_cast<std::decay_t<decltype(rules.*member)>>(value);
            apply(rules);
        });
    };
    addSection(tr("Any name"));
    addField(tr("Mean weight of a row at least"), 1.0, 0.05, 3, &PatternRules::weight);
    addSection(tr("Previous, next, own, first, induction, separator"));
    addField(tr("Mean weight at least"), 1.0, 0.05, 3, &PatternRules::share);
    addField(tr("Times the value of uniform attention, at least"), PatternRules::mostTimesUniform, 0.5, 2, &PatternRules::timesUniform);
    addField(tr("Rows at least"), 1e6, 1.0, 0, &PatternRules::rows);
    addSection(tr("Uniform and broad"));
    addField(tr("Uniform: H / ln(visible keys) at least"), 1.0, 0.01, 3, &PatternRules::uniform);
    addField(tr("Broad: H / ln(visible keys) at least"), 1.0, 0.01, 3, &PatternRules::broad);
    addSection(tr("Local"));
    addField(tr("Mean distance, times that of uniform attention, at most"), 1.0, 0.05, 3, &PatternRules::local);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_reset = buttons->addButton(tr("Defaults"), QDialogButtonBox::ResetRole);
    connect(m_reset, &QPushButton::clicked, this, [this] { reset(m_document); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    connect(&document, &Document::summariesChanged, this, &PatternRulesDialog::follow);
    follow();
}

void PatternRulesDialog::open(Document &document, QWidget *window)
{
    auto *dialog = window->findChild<PatternRulesDialog *>();
    if (!dialog)
        dialog = new PatternRulesDialog(document, window);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

void PatternRulesDialog::reset(Document &document)
{
    document.setPatternRules({});
    Settings().setPatternRules({});
}

void PatternRulesDialog::follow()
{
    for (const auto &show : m_fields)
        show(m_document.patternRules());
    m_reset->setEnabled(m_document.patternRules() != PatternRules());
    m_reset->setToolTip(m_reset->isEnabled() ? QString() : tr("All bounds have their defaults"));
}

void PatternRulesDialog::apply(const PatternRules &rules)
{
    m_document.setPatternRules(rules);
    Settings().setPatternRules(rules);
}

} // namespace attenscope
