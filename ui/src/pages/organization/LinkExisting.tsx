// A contact or an interface that is stored already is named by this organization, too.
import { FieldsCard } from '#/acquisitions/form/FieldsCard'
import { prefix } from '#/acquisitions/queries'
import type { Contact, Interface, Organization } from '#/acquisitions/types'
import { get } from '#/api/client'
import { announce } from '#/app/live'
import { useText } from '#/i18n/text'
import type { LookupOf } from '#/inventory/form/specs'
import { fullName } from '#/lib/names'
import type { Option } from '#/ui/Lookup'
import { KEYS, type Linked, link, PATHS } from './useLinked'

interface Props {
  kind: Linked
  organization: Organization
  title: string
  onClose: () => void
}
interface Choice {
  id?: string
}
type Found = Contact & Interface

const SHOWN = 20
const INDEXES: Record<Linked, readonly string[]> = {
  contacts: ['lastName', 'firstName'],
  privilegedContacts: ['lastName', 'firstName'],
  interfaces: ['name', 'uri'],
}

const optionOf = (kind: Linked, one: Found): Option =>
  kind === 'interfaces'
    ? { id: one.id, text: one.name ?? one.uri ?? one.id, detail: one.name ? one.uri : undefined }
    : { id: one.id, text: fullName(one), detail: one.emails?.[0]?.value ?? one.notes }

/** Those that the organization does not name yet, by the beginning of their names. */
function lookupOf(kind: Linked, organization: Organization): LookupOf {
  const indexes = INDEXES[kind]
  return {
    list: `acq-${kind}-${organization.id}`,
    search: async (words, signal) => {
      const first = words.trim().split(/[\s,]+/, 1)[0]
      const cql = first
        ? indexes.map((index) => `${index}=${prefix(first)}`).join(' or ')
        : 'cql.allRecords=1'
      const named = organization[kind] ?? []
      const query = { query: `${cql} sortby ${indexes[0]}`, limit: SHOWN + named.length }
      const found = (await get<Record<string, Found[]>>(PATHS[kind], query, signal))[KEYS[kind]]
      return (found ?? [])
        .filter(({ id }) => !named.includes(id))
        .slice(0, SHOWN)
        .map((one) => optionOf(kind, one))
    },
    nameOf: async (id, signal) =>
      optionOf(kind, await get<Found>(`${PATHS[kind]}/${id}`, undefined, signal)).text,
  }
}

export function LinkExisting({ kind, organization, title, onClose }: Props) {
  const t = useText()
  return (
    <FieldsCard<Choice>
      title={title}
      text={t('fin.linkWhat')}
      act={t('fin.link')}
      record={{}}
      fields={[
        {
          name: 'id',
          label: t('acq.name'),
          kind: 'lookup',
          lookup: lookupOf(kind, organization),
          needed: true,
        },
      ]}
      onAct={async ({ id }) => {
        await link(kind, organization, String(id))
        announce(t('fin.linked'))
      }}
      onClose={onClose}
    />
  )
}
