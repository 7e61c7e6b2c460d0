// The records of finance that have no route of their own: the first page of the client carries the names of routes,
// so these share one.
import { useParams } from '@tanstack/react-router'
import type { ListSearch } from '#/acquisitions/list/search'
import { GroupPage, loader as groupLoader } from '../group/GroupPage'
import { RolloverForm, loader as rolloverFormLoader } from '../rollover/RolloverForm'
import { RolloverPage, loader as rolloverLoader } from '../rollover/RolloverPage'

interface Named {
  kind: string
  id: string
}

export function loader({ kind, id }: Named, search: ListSearch) {
  if (kind === 'rollover') return rolloverFormLoader(id, search)
  return kind === 'rollovers' ? rolloverLoader(id) : groupLoader(id)
}

export function OtherPage() {
  const { kind, id } = useParams({ strict: false }) as Partial<Named>
  if (kind === 'rollover') return <RolloverForm key={id} />
  return kind === 'rollovers' ? <RolloverPage key={id} /> : <GroupPage key={id} />
}
