// SPDX-License-Identifier: GPL-3.0-or-later
// HeadTable: the filter, the table and what they do to the session.
#include "state/icons.h"
#include "state/settings.h"
#include "state/theme.h"
#include "views/heads/head_table_view.h"
#include "views/heads/heads.h"
#include "views/heads/pattern_rules_dialog.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QResizeEvent>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace attenscope {

namespace {

QFont small(const QWidget &widget)
{
    QFont font = widget.font();
    font.setPixelSize(std::max(1, qRound(QFontInfo(font).pixelSize() * 12.0 / 13.0)));
    return font;
}

} // namespace

struct HeadTable::Parts {
    Document &document;
    HeadTableModel model;
    HeadTableView *table = nullptr;
    QLineEdit *filter = nullptr;
    QLabel *problem = nullptr;
    QWidget *changedRules = nullptr; ///< Seen while the bounds of patterns are not the defaults.
    QLabel *caption = nullptr;
    QTimer later; ///< While heads arrive in quick succession.
    QVariantList hiddenColumns = Settings().hiddenHeadColumns();
    bool isFollowing = false; ///< The selection is being set from the document.

    explicit Parts(Document &theDocument)
        : document(theDocument)
        , model(theDocument)
    {
    }

    void edit(HeadOrder order, const QString &name, const QString &mergeKey) const
    {
        Session next = document.session();
        next.view.heads = std::move(order);
        document.edit(std::move(next), name, mergeKey);
    }

    /// Selects the row of the picked head.
    void follow()
    {
        const int row = model.list().indexOf(document.head());
        table->setPickedRow(row);
        if (row < 0 || (table->currentIndex().row() == row && table->selectionModel()->isRowSelected(row)))
            return;
        const bool wasFollowing = std::exchange(isFollowing, true);
        table->selectionModel()->setCurrentIndex(
            model.index(row, std::max(table->currentIndex().column(), 0)), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        isFollowing = wasFollowing;
    }

    void refresh()
    {
        later.stop();
        const bool wasFollowing = std::exchange(isFollowing, true);
        model.refresh();
        isFollowing = wasFollowing;
        const HeadOrder &order = document.session().view.heads;
        table->showOrder(order.by, order.isDescending);
        const QString text = QString::fromStdString(order.filter);
        if (filter->text() != text)
            filter->setText(text);
        QString said = model.list().problem;
        if (said.isEmpty() && model.list().heads.empty())
            said = HeadTable::tr("No head is like that.");
        problem->setText(said);
        problem->setVisible(!said.isEmpty());
        changedRules->setVisible(document.patternRules() != PatternRules());
        follow();
    }

    QWidget *makeChangedRules(HeadTable *owner)
    {
        changedRules = new QWidget(owner);
        auto *row = new QHBoxLayout(changedRules);
        row->setContentsMargins(16, 0, 16, 4);
        row->setSpacing(8);
        auto *label = new QLabel(HeadTable::tr("Rules changed"));
        label->setToolTip(HeadTable::tr("Names of patterns follow your bounds, in every document"));
        auto *reset = new QToolButton;
        reset->setText(HeadTable::tr("Use the defaults"));
        reset->setToolButtonStyle(Qt::ToolButtonTextOnly);
        reset->setToolTip(HeadTable::tr("Gives every bound of the rules its default"));
        QObject::connect(reset, &QToolButton::clicked, owner, [this] { PatternRulesDialog::reset(document); });
        row->addWidget(label, 1);
        row->addWidget(reset);
        return changedRules;
    }

    void fillColumns(QMenu *menu, HeadTable *owner)
    {
        for (int section = 1; section < model.columnCount(); ++section) {
            QAction *action = menu->addAction(model.headerData(section, Qt::Horizontal, Qt::DisplayRole).toString());
            action->setCheckable(true);
            action->setChecked(!hiddenColumns.contains(section));
            QObject::connect(action, &QAction::triggered, owner, [this, section](bool isOn) {
                hiddenColumns.removeAll(section);
                if (!isOn)
                    hiddenColumns.append(section);
                Settings().setHiddenHeadColumns(hiddenColumns);
                table->showColumns(hiddenColumns);
            });
        }
        menu->addSeparator();
        QAction *all = menu->addAction(HeadTable::tr("All columns"));
        all->setEnabled(!hiddenColumns.isEmpty());
        QObject::connect(all, &QAction::triggered, owner, [this] {
            hiddenColumns.clear();
            Settings().setHiddenHeadColumns(hiddenColumns);
            table->showColumns(hiddenColumns);
        });
    }
};

HeadTable::HeadTable(Document &document, Selection &, QWidget *parent)
    : QWidget(parent)
    , m_parts(std::make_unique<Parts>(document))
{
    Parts &parts = *m_parts;
    parts.table = new HeadTableView(parts.model, this);
    HeadTableView &table = *parts.table;
    setFocusProxy(&table);

    parts.filter = new QLineEdit(this);
    parts.filter->setPlaceholderText(tr("Filter: previous, first > 0.4"));
    parts.filter->setToolTip(tr("Words of the name or pattern, and comparisons of columns: previous, first > 0.4, h/ln <= 0.8"));
    parts.filter->setAccessibleName(tr("Filter heads"));
    parts.filter->setClearButtonEnabled(true);
    auto *rules = new QToolButton(this);
    rules->setText(tr("Rules…"));
    rules->setToolButtonStyle(Qt::ToolButtonTextOnly);
    rules->setToolTip(tr("The bounds behind the names of patterns"));
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(16, 8, 16, 4);
    bar->setSpacing(8);
    bar->addWidget(parts.filter, 1);
    bar->addWidget(rules);
    parts.problem = new QLabel(this);
    parts.problem->setWordWrap(true);
    parts.problem->setContentsMargins(16, 0, 16, 4);
    parts.problem->setForegroundRole(QPalette::PlaceholderText);

    parts.caption = new QLabel(
        tr("Means over rows, in nats; below each name if attention were uniform. Between masks or lengths compare H/ln alone."), this);
    parts.caption->setWordWrap(true);
    parts.caption->setForegroundRole(QPalette::PlaceholderText);
    parts.caption->setContentsMargins(16, 4, 16, 8);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(parts.makeChangedRules(this));
    column->addWidget(parts.problem);
    column->addWidget(&table, 1);
    column->addWidget(parts.caption);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);

    connect(rules, &QToolButton::clicked, this, [this] { PatternRulesDialog::open(m_parts->document, window()); });
    connect(table.selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &current) {
        if (current.isValid() && !m_parts->isFollowing)
            m_parts->document.pickHead(m_parts->model.headAt(current.row()));
    });
    connect(&table, &HeadTableView::orderRequested, this, [this](HeadColumn by) {
        HeadOrder order = m_parts->document.session().view.heads;
        order.isDescending = order.by == by && !order.isDescending;
        order.by = by;
        m_parts->edit(std::move(order), tr("order heads"), QStringLiteral("order heads"));
    });
    connect(parts.filter, &QLineEdit::textEdited, this, [this](const QString &text) {
        HeadOrder order = m_parts->document.session().view.heads;
        order.filter = text.toStdString();
        m_parts->edit(std::move(order), tr("filter heads"), QStringLiteral("filter heads"));
    });
    connect(parts.filter, &QLineEdit::editingFinished, &document, &Document::endMerge);
    QHeaderView *header = table.horizontalHeader();
    connect(header, &QWidget::customContextMenuRequested, this, [this, header](const QPoint &point) {
        QMenu menu(this);
        m_parts->fillColumns(&menu, this);
        menu.exec(header->mapToGlobal(point));
    });
    table.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&table, &QWidget::customContextMenuRequested, this, [this](const QPoint &point) {
        HeadTableView *view = m_parts->table;
        QMenu menu(this);
        QAction *copy = menu.addAction(tr("&Copy rows"), view, [view] { view->copy(true); });
        copy->setShortcut(QKeySequence::Copy);
        copy->setEnabled(view->selectionModel()->hasSelection());
        menu.addAction(tr("Copy &table"), view, [view] { view->copy(false); });
        menu.addAction(tr("&Export as CSV…"), this, [this] { emit exportRequested(headTableCsv(m_parts->model.list())); });
        menu.addSeparator();
        m_parts->fillColumns(menu.addMenu(tr("C&olumns")), this);
        menu.addAction(tr("Pattern &rules…"), this, [this] { PatternRulesDialog::open(m_parts->document, window()); });
        menu.exec(view->viewport()->mapToGlobal(point));
    });

    const auto refresh = [this] {
        m_parts->refresh();
        emit titleNoteChanged();
    };
    constexpr int betweenHeads = 100;
    parts.later.setInterval(betweenHeads);
    parts.later.setSingleShot(true);
    connect(&parts.later, &QTimer::timeout, this, refresh);
    // A thousand heads that arrive one by one need not be listed a thousand times.
    const auto refreshSoon = [this, refresh] {
        const bool isBusy = m_parts->document.isComputing() || m_parts->document.isSummarizing();
        if (!isBusy || m_parts->model.list().result->input != m_parts->document.input())
            refresh();
        else if (!m_parts->later.isActive())
            m_parts->later.start();
    };
    connect(&document, &Document::changed, this, [this, refresh](const Session &before, const Session &after) {
        if (before.view.heads != after.view.heads || before.view.head.element != after.view.head.element)
            refresh();
        else if (before.view.head != after.view.head)
            m_parts->follow();
    });
    connect(&document, &Document::resultChanged, this, refreshSoon);
    connect(&document, &Document::summariesChanged, this, refreshSoon);
    connect(&document, &Document::progressChanged, this, refreshSoon);
    table.showColumns(parts.hiddenColumns);
    parts.caption->setFont(small(*this));
    parts.problem->setFont(small(*this));
    m_parts->refresh();
}

HeadTable::~HeadTable()
{
    delete m_parts->table; // asks its model until it is gone
}

void HeadTable::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    // In a low dock rows come before what is said of them.
    constexpr int leastRows = 3;
    const HeadTableView &table = *m_parts->table;
    const int rows = table.horizontalHeader()->sizeHint().height() + leastRows * table.verticalHeader()->defaultSectionSize();
    QLabel &caption = *m_parts->caption;
    caption.setVisible(height() >= table.y() + rows + caption.heightForWidth(width()));
}

QString HeadTable::titleNote() const
{
    if (m_parts->document.isSummarizing())
        return tr("summing up…");
    return m_parts->model.list().countText();
}

void HeadTable::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        m_parts->caption->setFont(small(*this));
        m_parts->problem->setFont(small(*this));
    }
}

} // namespace attenscope
