// The records of finance that have no route of their own: the first page of the client carries the names of routes,
// so these share one.
import { useParams } from '@tanstack/react-router'
import type { ListSearch } from '#/acquisitions/list/search'
import { AllocationPage, loader as allocationLoader } from '../allocations/AllocationPage'
import { AllocationsPage, loader as allocationsLoader } from '../allocations/AllocationsPage'
import { GroupPage, loader as groupLoader } from '../group/GroupPage'
import { RolloverForm, loader as rolloverFormLoader } from '../rollover/RolloverForm'
import { RolloverPage, loader as rolloverLoader } from '../rollover/RolloverPage'

interface Named {
  kind: string
  id: string
}

export function loader({ kind, id }: Named, search: ListSearch) {
  switch (kind) {
    case 'rollover':
      return rolloverFormLoader(id, search)
    case 'rollovers':
      return rolloverLoader(id)
    case 'ledger-allocations':
      return allocationsLoader('ledger', id, search)
    case 'group-allocations':
      return allocationsLoader('group', id, search)
    case 'allocations':
      return allocationLoader(id)
    default:
      return groupLoader(id)
  }
}

export function OtherPage() {
  const { kind, id } = useParams({ strict: false }) as Partial<Named>
  switch (kind) {
    case 'rollover':
      return <RolloverForm key={id} />
    case 'rollovers':
      return <RolloverPage key={id} />
    case 'ledger-allocations':
      return <AllocationsPage key={id} whose="ledger" />
    case 'group-allocations':
      return <AllocationsPage key={id} whose="group" />
    case 'allocations':
      return <AllocationPage key={id} />
    default:
      return <GroupPage key={id} />
  }
}
