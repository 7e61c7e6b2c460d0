// A MARC record to read, with the way into its editor.
import type { ReactNode } from 'react'
import { useText } from '#/i18n/text'
import { usePermission } from '#/inventory/usePermission'
import { useCommands } from '#/keys/useCommands'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { MarcLines } from './MarcLines'
import type { MarcRecord } from './types'

interface Props {
  title: string
  path: ReactNode
  record: MarcRecord
  onEdit: () => void
  /** The button of its versions. */
  children: ReactNode
}

export function MarcReading({ title, path, record, onEdit, children }: Props) {
  const t = useText()
  const may = usePermission('marc-records-editor.item.put')
  useCommands([
    {
      id: 'record.edit',
      title: 'inventory.edit',
      group: 'page',
      keys: 'Alt+E',
      disabled: may.reason,
      run: onEdit,
    },
  ])
  return (
    <>
      <RecordHead title={title} path={path}>
        <Button kind="primary" icon="pencil" keys="Alt+E" disabled={may.reason} onPress={onEdit}>
          {t('inventory.edit')}
        </Button>
        {children}
      </RecordHead>
      <section
        className={cx(page.pane, page.body)}
        aria-label={t('inventory.fields')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: nothing in it takes the focus, and it scrolls.
        tabIndex={0}
      >
        <MarcLines record={record} />
      </section>
    </>
  )
}
