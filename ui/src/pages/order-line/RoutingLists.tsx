// Who a printed title goes round to: the routing lists of a line, as many as it has printed copies.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FieldsCard } from '#/acquisitions/form/FieldsCard'
import { userLookup } from '#/acquisitions/form/lookups'
import { changed, equals, ofQuery } from '#/acquisitions/queries'
import type { OrderLine, RoutingList } from '#/acquisitions/types'
import { post, put, remove } from '#/api/client'
import { printElements } from '#/desk/print'
import { useText } from '#/i18n/text'
import type { Spec } from '#/inventory/form/specs'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import { useNeeds } from '#/lib/permissions'
import { usersByIds } from '#/patrons/queries'
import { Button } from '#/ui/Button'
import { RowActs } from '#/ui/RowActs'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { routingSlip } from './routingSlip'

const PATH = '/orders/routing-lists'
type Edited = Partial<RoutingList> & { $users?: { id?: string }[] }

export function RoutingLists({ line }: { line: OrderLine }) {
  const t = useText()
  const { number } = useFormats()
  const mayRead = useNeeds('orders.routing-lists.collection.get')
  const mayAdd = useNeeds('orders.routing-lists.item.post').reason
  const mayEdit = useNeeds('orders.routing-lists.item.put').reason
  const mayDelete = useNeeds('orders.routing-lists.item.delete').reason
  const { data } = useQuery({
    ...ofQuery<RoutingList>(PATH, 'routingLists', equals('poLineId', line.id)),
    enabled: mayRead.allowed,
  })
  const lists = data ?? []
  const ids = [...new Set(lists.flatMap(({ userIds }) => userIds ?? []))].sort()
  const { data: users } = useQuery({
    queryKey: ['acq', 'users', ids],
    queryFn: ({ signal }) => usersByIds(ids, signal),
    enabled: ids.length > 0,
  })
  const nameOf = (id: string) => fullName(users?.get(id)?.personal ?? {}) || id
  const [task, setTask] = useState<{ list?: RoutingList; deletes?: boolean }>()
  const copies = (line.locations ?? []).reduce((sum, one) => sum + (one.quantityPhysical ?? 0), 0)
  const full = lists.length >= copies ? t('acq.code.routingListLimitReachedForPoLine') : undefined
  const fields: Spec[] = [
    { name: 'name', label: t('acq.name'), kind: 'text', needed: true },
    { name: 'notes', label: t('acq.notes'), kind: 'long' },
    {
      name: '$users',
      label: t('ord.readers'),
      kind: 'rows',
      fields: [{ name: 'id', label: t('ord.reader'), kind: 'lookup', lookup: userLookup }],
    },
  ]
  const save = async ({ $users, ...next }: Edited) => {
    const userIds = [...new Set(($users ?? []).flatMap(({ id }) => (id ? [id] : [])))]
    const body = { ...next, poLineId: line.id, userIds }
    if (next.id) await put(`${PATH}/${next.id}`, body)
    else await post(PATH, body)
    await changed()
  }
  const columns: Column<RoutingList>[] = [
    { id: 'name', title: t('acq.name'), kind: 'main', cell: ({ name }) => <bdi>{name}</bdi> },
    {
      id: 'readers',
      title: t('ord.readers'),
      width: 20,
      cell: ({ userIds }) => <bdi>{userIds?.map(nameOf).join(', ')}</bdi>,
    },
    {
      id: 'notes',
      title: t('acq.notes'),
      width: 12,
      soft: true,
      wide: true,
      cell: ({ notes }) => <bdi>{notes}</bdi>,
    },
    {
      id: 'menu',
      title: t('acq.more'),
      kind: 'menu',
      width: 3,
      cell: (list) => (
        <RowActs
          name={list.name}
          acts={[
            {
              id: 'print',
              text: t('ord.printList'),
              icon: 'printer',
              run: () =>
                printElements([
                  routingSlip(line.titleOrPackage, list, list.userIds?.map(nameOf) ?? []),
                ]),
            },
            {
              id: 'edit',
              text: t('acq.edit'),
              icon: 'pencil',
              disabled: mayEdit,
              run: () => setTask({ list }),
            },
            {
              id: 'delete',
              text: t('ord.deleteList'),
              icon: 'trash-2',
              disabled: mayDelete,
              run: () => setTask({ list, deletes: true }),
            },
          ]}
        />
      ),
    },
  ]
  return (
    <Section
      title={t('ord.routing')}
      count={number(lists.length)}
      acts={
        <Button small icon="plus" disabled={mayAdd ?? full} onPress={() => setTask({})}>
          {t('ord.addList')}
        </Button>
      }
    >
      <div className="stack">
        {task ? (
          <FieldsCard<Edited>
            key={`${task.list?.id} ${task.deletes}`}
            title={
              task.deletes
                ? t('ord.deleteListAsk', { name: task.list?.name ?? '' })
                : task.list
                  ? t('acq.editOf', { name: task.list.name })
                  : t('ord.addList')
            }
            act={t(task.deletes ? 'acq.orderAct.delete' : 'forms.save')}
            danger={task.deletes}
            record={{
              ...task.list,
              $users: task.list?.userIds?.map((id) => ({ id })) ?? [{}],
            }}
            fields={task.deletes ? [] : fields}
            onAct={
              task.deletes
                ? async () => {
                    await remove(`${PATH}/${task.list?.id}`)
                    await changed()
                  }
                : save
            }
            onClose={() => setTask(undefined)}
          />
        ) : null}
        {lists.length ? (
          <Table
            label={t('ord.routing')}
            columns={columns}
            rows={rowsOf(lists)}
            keyOf={(one) => one.id}
            nameOf={(one) => one.name}
          />
        ) : (
          <p className="sm muted">{t('ord.noLists')}</p>
        )}
      </div>
    </Section>
  )
}
