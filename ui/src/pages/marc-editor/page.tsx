// The MARC editor of a title, and of a title that is being made.
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { instanceQuery } from '#/inventory/queries'
import { RecordPath } from '#/inventory/RecordPath'
import { blankRecord } from '#/marc/blank'
import { marcQuery } from '#/marc/queries'
import { Editor } from './Editor'

const NEW = 'new'

export async function loader(instanceId: string) {
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory'),
    // What is stored now, not what was cached.
    ...(instanceId === NEW
      ? []
      : [
          queryClient.fetchQuery({ ...instanceQuery(instanceId), staleTime: 0 }),
          queryClient.fetchQuery({ ...marcQuery(instanceId), staleTime: 0 }),
        ]),
  ])
}

export function MarcEditorPage() {
  const { instanceId } = useParams({ from: '/shell/inventory/$instanceId/marc/edit' })
  return instanceId === NEW ? <Fresh /> : <Stored instanceId={instanceId} />
}

function useToTitle() {
  const navigate = useNavigate()
  return (instanceId: string) =>
    navigate({ to: '/inventory/$instanceId', params: { instanceId }, search: {} })
}

function Stored({ instanceId }: { instanceId: string }) {
  const t = useText()
  const instance = useLoaded(instanceQuery(instanceId))
  const record = useLoaded(marcQuery(instanceId))
  return (
    <Editor
      title={t('inventory.editMarc')}
      path={
        <RecordPath
          kind="MARC"
          hrid={record.externalHrid}
          title={{ id: instanceId, text: instance.title }}
        />
      }
      record={record}
      version={instance._version}
      onSaved={useToTitle()}
    />
  )
}

function Fresh() {
  const t = useText()
  const [record] = useState(blankRecord)
  return (
    <Editor
      title={t('inventory.newMarc')}
      path={<RecordPath kind="MARC" />}
      record={record}
      onSaved={useToTitle()}
    />
  )
}
