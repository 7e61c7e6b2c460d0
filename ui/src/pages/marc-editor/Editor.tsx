// The grid of fields, fixed places as boxes, the server's messages in the lines; of a stored record, or of a new one.
import { type ReactNode, useEffect, useRef } from 'react'
import { FaultNote } from '#/forms/FaultNote'
import { LeaveGuard } from '#/forms/LeaveGuard'
import { useText } from '#/i18n/text'
import { usePermission } from '#/inventory/usePermission'
import { useCommands } from '#/keys/useCommands'
import { LeaderBoxes } from '#/marc/Boxes'
import { fitted, underLeader } from '#/marc/fixed'
import { MarcLine } from '#/marc/MarcLine'
import styles from '#/marc/marc.module.css'
import { changed, insertAfter, isKept, moved, without } from '#/marc/model'
import type { Draft } from '#/marc/useEditor'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Dialog } from '#/ui/Dialog'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Foot } from './Foot'
import { MarcConflict } from './MarcConflict'
import { Said } from './Said'
import { useLineCards } from './useLineCards'
import { type Subject, useMarcEditor } from './useMarcEditor'

export type Change = (what: string, next: (draft: Draft) => Draft) => void

interface Props extends Subject {
  title: string
  path: ReactNode
  /** What stands above the fields: what is chosen for them, what a save also changes. */
  above?: (draft: Draft, change: Change) => ReactNode
}

export function Editor({ title, path, above, ...subject }: Props) {
  const t = useText()
  const format = subject.record.marcFormat
  const isTitle = format === 'BIBLIOGRAPHIC'
  const editor = useMarcEditor(subject)
  const { draft, change, undo, issues, said, busy } = editor
  const list = useRef<HTMLOListElement>(null)
  const mayLink = usePermission('marc-records-editor.links.suggestion.post')
  /** The line that gets the focus as soon as it is drawn. */
  const goal = useRef<string | undefined>(undefined)
  const cards = useLineCards(editor.record, draft, change, (key) => {
    goal.current = key
  })
  useEffect(() => {
    if (!goal.current) return
    const place = list.current?.querySelector<HTMLElement>(`[data-line="${goal.current}"]`)
    goal.current = undefined
    place?.querySelector<HTMLElement>('input, textarea')?.focus()
  })
  const here = () =>
    document.activeElement?.closest<HTMLElement>('[data-line]')?.dataset.line ??
    draft.lines.at(-1)?.key ??
    ''
  const insert = () => {
    const { lines, key } = insertAfter(draft.lines, here())
    goal.current = key
    change('insert', (now) => ({ ...now, lines }))
  }
  const remove = (key: string) => {
    const line = draft.lines.find((one) => one.key === key)
    if (!line || isKept(line)) return
    goal.current = draft.lines[draft.lines.indexOf(line) + 1]?.key
    change('delete', (now) => ({ ...now, lines: without(now.lines, key) }))
  }
  const move = (step: 1 | -1) =>
    change('move', (now) => ({ ...now, lines: moved(now.lines, here(), step) }))
  const choose = () => {
    const line = draft.lines.find(({ key }) => key === here())
    if (line) cards.lookUpOf(line)?.open()
  }
  const nextFault = () => {
    const faulty = [...(list.current?.querySelectorAll<HTMLElement>('[data-worst]') ?? [])]
    const at = faulty.findIndex((one) => one.contains(document.activeElement))
    faulty[(at + 1) % faulty.length]?.querySelector<HTMLElement>('textarea, input')?.focus()
  }
  useCommands([
    { id: 'marc.save', title: 'forms.save', group: 'page', keys: 'Mod+S', run: editor.save },
    { id: 'marc.check', title: 'inventory.check', group: 'page', keys: 'F8', run: editor.check },
    { id: 'marc.next', title: 'inventory.nextFault', group: 'page', keys: 'F7', run: nextFault },
    ...(isTitle
      ? [
          {
            id: 'marc.link',
            title: 'inventory.linkHeadings',
            group: 'page',
            keys: 'F9',
            disabled: mayLink.reason,
            run: editor.link,
          } as const,
        ]
      : []),
    ...(format === 'AUTHORITY'
      ? []
      : [
          {
            id: 'marc.choose',
            title: isTitle ? 'inventory.linkThis' : 'inventory.chooseLocation',
            group: 'page',
            keys: 'Shift+F9',
            disabled: cards.reason,
            run: choose,
          } as const,
        ]),
    { id: 'marc.undo', title: 'inventory.undo', group: 'page', keys: 'Mod+Z', run: undo },
    { id: 'marc.new', title: 'inventory.newField', group: 'page', keys: 'Mod+Enter', run: insert },
    {
      id: 'marc.delete',
      title: 'inventory.deleteThis',
      group: 'page',
      keys: 'Mod+Delete',
      run: () => remove(here()),
    },
    {
      id: 'marc.up',
      title: 'inventory.moveUp',
      group: 'page',
      keys: 'Alt+ArrowUp',
      run: () => move(-1),
    },
    {
      id: 'marc.down',
      title: 'inventory.moveDown',
      group: 'page',
      keys: 'Alt+ArrowDown',
      run: () => move(1),
    },
  ])
  return (
    <>
      <RecordHead title={title} path={path}>
        <Button
          kind="quiet"
          icon="undo-2"
          keys="Mod+Z"
          wideOnly
          disabled={editor.canUndo ? undefined : t('inventory.nothingToUndo')}
          onPress={undo}
        >
          {t('inventory.undo')}
        </Button>
        {isTitle ? (
          <Button
            icon="link"
            keys="F9"
            wideOnly
            busy={busy === 'link'}
            disabled={mayLink.reason}
            onPress={editor.link}
          >
            {t('inventory.linkHeadings')}
          </Button>
        ) : null}
        <Button keys="F8" busy={busy === 'check'} onPress={editor.check}>
          {t('inventory.check')}
        </Button>
        <Button kind="primary" keys="Mod+S" busy={busy === 'save'} onPress={editor.save}>
          {t('forms.save')}
        </Button>
      </RecordHead>
      <section className={cx(page.pane, page.body)} aria-label={t('inventory.fields')}>
        <div className="stack">
          <LeaveGuard isDirty={() => editor.isDirty && !editor.saved.current} />
          {editor.theirs ? (
            <MarcConflict
              mine={draft.lines}
              theirs={editor.theirs.record.fields}
              onMine={editor.saveMine}
              onTheirs={editor.takeTheirs}
            />
          ) : (
            <FaultNote faults={{}} failure={editor.failure} />
          )}
          {above?.(draft, change)}
          <Said issues={issues} unplaced={said.get('') ?? []} onNext={nextFault} />
        </div>
        <ol className={styles.marc} ref={list} aria-label={t('inventory.fields')}>
          <li className={styles.field}>
            <b className={styles.tag}>LDR</b>
            <span className={styles.none} />
            <span className={styles.none} />
            <LeaderBoxes
              format={format}
              leader={draft.leader}
              onChange={(leader) =>
                change('leader', (now) => ({
                  leader,
                  lines: underLeader(format, now.lines, now.leader, leader),
                }))
              }
            />
          </li>
          {draft.lines.map((line) => (
            <MarcLine
              key={line.key}
              format={format}
              line={line}
              issues={said.get(line.key) ?? []}
              onChange={(next) =>
                change(line.key, (now) => ({
                  ...now,
                  lines: changed(
                    now.lines,
                    line.key,
                    fitted(line, next, { format, leader: now.leader }),
                  ),
                }))
              }
              onDelete={() => remove(line.key)}
              codes={cards.codesOf(line)}
              lookUp={cards.lookUpOf(line)}
            >
              {cards.cardOf(line)}
            </MarcLine>
          ))}
        </ol>
      </section>
      <Foot count={draft.lines.length} isDirty={editor.isDirty} onNew={insert} />
      <Dialog
        title={editor.asked?.title ?? ''}
        open={Boolean(editor.asked)}
        onClose={editor.goBack}
        closeText={t('forms.back')}
        act={editor.asked && { text: editor.asked.act, run: editor.goOn }}
      >
        <p>{editor.asked?.text}</p>
      </Dialog>
    </>
  )
}
