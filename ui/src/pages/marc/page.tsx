// The MARC record of a title, to read.
import { useNavigate, useParams } from '@tanstack/react-router'
import { queryClient, useLoaded } from '#/api/query'
import { HistoryButton } from '#/history/HistoryButton'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { instanceQuery } from '#/inventory/queries'
import { RecordPath } from '#/inventory/RecordPath'
import { usePermission } from '#/inventory/usePermission'
import { useCommands } from '#/keys/useCommands'
import { MarcLines } from '#/marc/MarcLines'
import { marcQuery } from '#/marc/queries'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'

export async function loader(instanceId: string) {
  await Promise.all([
    loadTexts('lists', 'inventory'),
    queryClient.ensureQueryData(instanceQuery(instanceId)),
    queryClient.ensureQueryData(marcQuery(instanceId)),
  ])
}

export function MarcPage() {
  const t = useText()
  const navigate = useNavigate()
  const { instanceId } = useParams({ from: '/shell/inventory/$instanceId/marc' })
  const instance = useLoaded(instanceQuery(instanceId))
  const record = useLoaded(marcQuery(instanceId))
  const may = usePermission('marc-records-editor.item.put')
  const edit = () =>
    void navigate({ to: '/inventory/$instanceId/marc/edit', params: { instanceId } })
  useCommands([
    {
      id: 'record.edit',
      title: 'inventory.edit',
      group: 'page',
      keys: 'Alt+E',
      disabled: may.reason,
      run: edit,
    },
  ])
  return (
    <>
      <RecordHead
        title={t('inventory.marc')}
        path={
          <RecordPath
            kind="MARC"
            hrid={record.externalHrid}
            title={{ id: instanceId, text: instance.title }}
          />
        }
      >
        <Button kind="primary" icon="pencil" keys="Alt+E" disabled={may.reason} onPress={edit}>
          {t('inventory.edit')}
        </Button>
        <HistoryButton kind="marc" id={record.parsedRecordDtoId} name={instance.title} />
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
