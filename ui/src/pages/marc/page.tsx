// The MARC record of a title, to read.
import { useNavigate, useParams } from '@tanstack/react-router'
import { queryClient, useLoaded } from '#/api/query'
import { HistoryButton } from '#/history/HistoryButton'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { instanceQuery } from '#/inventory/queries'
import { RecordPath } from '#/inventory/RecordPath'
import { MarcReading } from '#/marc/MarcReading'
import { marcQuery } from '#/marc/queries'

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
  const edit = () =>
    void navigate({ to: '/inventory/$instanceId/marc/edit', params: { instanceId } })
  return (
    <MarcReading
      title={t('inventory.marc')}
      path={
        <RecordPath
          kind="MARC"
          hrid={record.externalHrid}
          title={{ id: instanceId, text: instance.title }}
        />
      }
      record={record}
      onEdit={edit}
    >
      <HistoryButton kind="marc" id={record.parsedRecordDtoId} name={instance.title} />
    </MarcReading>
  )
}
