// The people of an organization, made and changed in place. Privileged ones are records of another kind, with
// permissions of their own.
import { RecordCard } from '#/acquisitions/form/RecordCard'
import { Refused } from '#/acquisitions/Refused'
import type { Contact, Organization } from '#/acquisitions/types'
import { useChoices } from '#/acquisitions/words'
import { put } from '#/api/client'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Failed } from '#/ui/Failed'
import { RowActs } from '#/ui/RowActs'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { contactFields } from './contactFields'
import { LinkExisting } from './LinkExisting'
import { NamedByOthers } from './NamedByOthers'
import { useCategories } from './useCategories'
import { useLinkActs } from './useLinkActs'
import { addLinked, PATHS, STEMS, useLinked } from './useLinked'

interface Props {
  organization: Organization
  kind: 'contacts' | 'privilegedContacts'
}

const NEW = { firstName: '', lastName: '' } as Contact

export function Contacts({ organization, kind }: Props) {
  const t = useText()
  const choices = useChoices()
  const { number, list } = useFormats()
  const read = useNeeds(`${STEMS[kind]}.collection.get`)
  const add = useNeeds(`${STEMS[kind]}.item.post`)
  const { data, error, refetch } = useLinked<Contact>(kind, organization, read.allowed)
  const categories = useCategories()
  const acts = useLinkActs<Contact>(kind, organization, fullName)
  const { edited } = acts
  const title = t(kind === 'contacts' ? 'acq.contacts' : 'fin.privilegedContacts')
  const links = t(kind === 'contacts' ? 'fin.linkContact' : 'fin.linkPrivileged')
  const adds = t(kind === 'contacts' ? 'acq.addContact' : 'fin.addPrivileged')
  const columns: Column<Contact>[] = [
    {
      id: 'name',
      title: t('acq.name'),
      kind: 'main',
      cell: (one) => (
        <>
          <bdi>{fullName(one)}</bdi>{' '}
          {one.inactive ? <span className="sm soft">{t('acq.value.Inactive')}</span> : null}
        </>
      ),
    },
    {
      id: 'email',
      title: t('acq.emails'),
      width: 15,
      cell: (one) => <bdi>{one.emails?.map(({ value }) => value).join(', ')}</bdi>,
    },
    {
      id: 'phone',
      title: t('acq.phones'),
      width: 12,
      cell: (one) => <bdi>{one.phoneNumbers?.map((of) => of.phoneNumber).join(', ')}</bdi>,
    },
    {
      id: 'categories',
      title: t('fin.categories'),
      width: 10,
      soft: true,
      wide: true,
      cell: (one) =>
        list(
          (one.categories ?? []).flatMap(
            (id) => categories.find((category) => category.id === id)?.value ?? [],
          ),
        ),
    },
    {
      id: 'notes',
      title: t('acq.note'),
      width: 10,
      soft: true,
      wide: true,
      cell: (one) => <bdi>{one.notes}</bdi>,
    },
    {
      id: 'menu',
      title: t('acq.more'),
      kind: 'menu',
      width: 3,
      cell: (one) => <RowActs name={fullName(one)} acts={acts.actsOf(one)} />,
    },
  ]
  const contacts = data ?? []
  const ids = organization[kind] ?? []
  return (
    <Section
      title={title}
      count={number(ids.length)}
      acts={
        <>
          <Button
            small
            icon="link"
            disabled={read.reason ?? acts.mayLink.reason}
            onPress={() => acts.setLinking(true)}
          >
            {links}
          </Button>
          <Button
            small
            icon="plus"
            disabled={read.reason ?? add.reason}
            onPress={() => acts.setEdited('new')}
          >
            {adds}
          </Button>
        </>
      }
    >
      {acts.linking ? (
        <LinkExisting
          kind={kind}
          organization={organization}
          title={links}
          onClose={() => acts.setLinking(false)}
        />
      ) : null}
      {edited ? (
        <RecordCard<Contact>
          key={edited === 'new' ? 'new' : edited.id}
          title={edited === 'new' ? adds : t('acq.editOf', { name: fullName(edited) })}
          record={edited === 'new' ? NEW : edited}
          fields={contactFields(t, choices, categories)}
          stored={edited === 'new' ? undefined : `${PATHS[kind]}/${edited.id}`}
          save={(next) =>
            edited === 'new'
              ? addLinked(kind, organization, next)
              : put(`${PATHS[kind]}/${edited.id}`, next)
          }
          onClose={() => acts.setEdited(undefined)}
        />
      ) : null}
      {acts.deleted ? (
        <ConfirmCard
          title={t('fin.deleteAsk', { name: fullName(acts.deleted) })}
          text={t('fin.deleteWhat')}
          act={t('fin.delete')}
          danger
          busy={acts.act.busy}
          onAct={() => void acts.remove()}
          onClose={() => acts.setDeleted(undefined)}
        />
      ) : null}
      <Refused failure={acts.act.failure} />
      <NamedByOthers others={acts.others} />
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {contacts.length ? (
        <Table
          label={title}
          columns={columns}
          rows={rowsOf(contacts)}
          keyOf={(one) => one.id}
          nameOf={fullName}
          onOpen={(one) => {
            if (acts.mayEdit) acts.setEdited(one)
          }}
        />
      ) : ids.length && !read.reason ? null : (
        <p className="sm muted">{read.reason ?? t('acq.noContacts')}</p>
      )}
    </Section>
  )
}
