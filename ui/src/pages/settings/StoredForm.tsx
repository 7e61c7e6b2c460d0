// The form of a record, once the record is here: most kinds are listed whole, others are read one by one.
import { useQuery } from '@tanstack/react-query'
import { useLoaded } from '#/api/query'
import type { Kind } from '#/settings/kinds'
import { recordsQuery } from '#/settings/records'
import { readRecord } from '#/settings/save'
import { Failed } from '#/ui/Failed'
import { RecordForm } from './RecordForm'

export function StoredForm({ kind, id }: { kind: Kind; id: string }) {
  const rows = useLoaded(recordsQuery(kind))
  const isRead = Boolean(kind.wire) && id !== 'new'
  const { data, error, refetch } = useQuery({
    queryKey: ['settings', kind.path, id],
    queryFn: () => readRecord(kind, id),
    enabled: isRead,
    staleTime: 0,
    gcTime: 0,
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!isRead) return <RecordForm kind={kind} id={id} stored={rows.find((row) => row.id === id)} />
  return data ? <RecordForm kind={kind} id={id} stored={data} /> : null
}
