// Acquisitions units with their members: FOLIO keeps each membership as a record of its own.
import { userLookup } from '#/acquisitions/form/lookups'
import { allPages } from '#/api/allPages'
import { get, post, put, remove } from '#/api/client'
import { equals } from '#/api/cql'
import type { Kind } from '../kinds'
import type { Values } from '../paths'

const PATH = '/acquisitions-units/units'
const MEMBERS = '/acquisitions-units/memberships'

interface Member {
  id?: string
  userId?: string
}

const membersOf = (record: Values | undefined) => (record?.$members ?? []) as readonly Member[]

async function read(id: string): Promise<Values> {
  const [unit, members] = await Promise.all([
    get<Values>(`${PATH}/${id}`),
    allPages<Member>(
      MEMBERS,
      'acquisitionsUnitMemberships',
      equals('acquisitionsUnitId', id),
      undefined,
    ),
  ])
  const sorted = members.toSorted((a, b) => (a.id ?? '').localeCompare(b.id ?? ''))
  return { ...unit, $members: sorted.map(({ id: own, userId }) => ({ id: own, userId })) }
}

/** Who leaves and who joins: a row whose person was exchanged is both. */
export function memberChanges(wanted: readonly Member[], stored: readonly Member[]) {
  const people = new Set(wanted.flatMap(({ userId }) => (userId ? [userId] : [])))
  return {
    leave: stored.filter(({ userId }) => !userId || !people.has(userId)),
    join: [...people].filter((id) => !stored.some(({ userId }) => userId === id)),
  }
}

async function store({ $members: _, ...unit }: Values, wanted: Values, stored: Values | undefined) {
  if (stored) await put(`${PATH}/${unit.id}`, unit)
  else await post(PATH, unit)
  const { leave, join } = memberChanges(membersOf(wanted), membersOf(stored))
  for (const { id } of leave) await remove(`${MEMBERS}/${id}`)
  for (const userId of join) await post(MEMBERS, { userId, acquisitionsUnitId: unit.id })
}

export const UNITS: Kind = {
  id: 'acquisitions-units',
  path: PATH,
  key: 'acquisitionsUnits',
  name: 'name',
  title: 'ord.units',
  group: 'ord.group',
  permission: 'acquisitions-units.units.item',
  fields: [
    { name: 'name', label: 'set.name', type: 'text', needed: true },
    { name: 'description', label: 'set.description', type: 'lines' },
    { name: 'protectRead', label: 'ord.protectRead', type: 'check' },
    { name: 'protectCreate', label: 'ord.protectCreate', type: 'check' },
    { name: 'protectUpdate', label: 'ord.protectUpdate', type: 'check' },
    { name: 'protectDelete', label: 'ord.protectDelete', type: 'check' },
    {
      name: '$members',
      label: 'ord.members',
      type: 'rows',
      add: 'ord.addMember',
      next: () => ({}),
      fields: [
        { name: 'userId', label: 'ord.member', type: 'lookup', lookup: userLookup, needed: true },
      ],
    },
  ],
  columns: ['description'],
  fresh: {
    protectRead: false,
    protectCreate: true,
    protectUpdate: true,
    protectDelete: true,
    $members: [],
  },
  wire: {
    read,
    body: ({ $members: _, ...unit }) => unit,
    store: (record, stored) => store(record, record, stored),
  },
}
