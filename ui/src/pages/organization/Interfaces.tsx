// The interfaces of an organization, made and changed in place. Their credentials are asked for only when somebody
// wants to see them, and set apart from the rest.
import { useState } from 'react'
import { RecordCard } from '#/acquisitions/form/RecordCard'
import { Refused } from '#/acquisitions/Refused'
import { keepSecret, type Secret } from '#/acquisitions/secret'
import type { Interface, Organization } from '#/acquisitions/types'
import { DELIVERY, INTERFACE, useChoices, useWord } from '#/acquisitions/words'
import { put } from '#/api/client'
import { useText } from '#/i18n/text'
import type { Spec } from '#/inventory/form/specs'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Failed } from '#/ui/Failed'
import { RowActs } from '#/ui/RowActs'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { Credentials } from './Credentials'
import { LinkExisting } from './LinkExisting'
import { NamedByOthers } from './NamedByOthers'
import { isWeb } from './Reached'
import { useLinkActs } from './useLinkActs'
import { addLinked, PATHS, useLinked } from './useLinked'

const KIND = 'interfaces'
const nameOf = ({ name, uri, id }: Interface) => name ?? uri ?? id

export function Interfaces({ organization }: { organization: Organization }) {
  const t = useText()
  const word = useWord()
  const choices = useChoices()
  const { number, list } = useFormats()
  const { data, error, refetch } = useLinked<Interface>(KIND, organization)
  const { reason } = useNeeds('organizations-storage.interfaces.item.post')
  const secret = useNeeds('organizations-storage.interfaces.credentials.item.put')
  const acts = useLinkActs<Interface>(KIND, organization, nameOf)
  const { edited } = acts
  const [locked, setLocked] = useState<Interface>()
  // What was shown is not what is stored after it was set.
  const [sets, setSets] = useState(0)
  const fields: Spec[] = [
    { name: 'name', label: t('acq.name'), kind: 'text' },
    { name: 'uri', label: t('acq.uri'), kind: 'text' },
    { name: 'type', label: t('fin.kinds'), kind: 'ids', choices: choices(INTERFACE) },
    { name: 'available', label: t('fin.available'), kind: 'flag' },
    {
      name: 'deliveryMethod',
      label: t('fin.delivery'),
      kind: 'choice',
      choices: choices(DELIVERY),
    },
    { name: 'statisticsFormat', label: t('fin.statisticsFormat'), kind: 'text' },
    { name: 'locallyStored', label: t('fin.locallyStored'), kind: 'text' },
    { name: 'onlineLocation', label: t('fin.onlineLocation'), kind: 'text' },
    { name: 'statisticsNotes', label: t('fin.statisticsNotes'), kind: 'text' },
    { name: 'notes', label: t('acq.note'), kind: 'text' },
  ]
  const columns: Column<Interface>[] = [
    { id: 'name', title: t('acq.name'), kind: 'main', cell: (one) => <bdi>{nameOf(one)}</bdi> },
    {
      id: 'uri',
      title: t('acq.uri'),
      width: 14,
      cell: ({ uri }) =>
        isWeb(uri) ? (
          <a href={uri} rel="noreferrer">
            <bdi>{uri}</bdi>
          </a>
        ) : (
          <bdi>{uri}</bdi>
        ),
    },
    {
      id: 'kinds',
      title: t('fin.kinds'),
      width: 10,
      soft: true,
      wide: true,
      cell: ({ type }) => list((type ?? []).map(word)),
    },
    {
      id: 'credentials',
      title: t('acq.credentials'),
      width: 16,
      cell: (one) => <Credentials key={sets} id={one.id} name={nameOf(one)} />,
    },
    {
      id: 'menu',
      title: t('acq.more'),
      kind: 'menu',
      width: 3,
      cell: (one) => (
        <RowActs
          name={nameOf(one)}
          acts={[
            ...acts.actsOf(one),
            {
              id: 'secret',
              text: t('fin.setCredentials'),
              icon: 'lock',
              disabled: secret.reason,
              run: () => setLocked(one),
            },
          ]}
        />
      ),
    },
  ]
  const interfaces = data ?? []
  return (
    <Section
      title={t('acq.interfaces')}
      count={number(organization.interfaces?.length ?? 0)}
      acts={
        <>
          <Button
            small
            icon="link"
            disabled={acts.mayLink.reason}
            onPress={() => acts.setLinking(true)}
          >
            {t('fin.linkInterface')}
          </Button>
          <Button small icon="plus" disabled={reason} onPress={() => acts.setEdited('new')}>
            {t('acq.addInterface')}
          </Button>
        </>
      }
    >
      {acts.linking ? (
        <LinkExisting
          kind={KIND}
          organization={organization}
          title={t('fin.linkInterface')}
          onClose={() => acts.setLinking(false)}
        />
      ) : null}
      {edited ? (
        <RecordCard<Interface>
          key={edited === 'new' ? 'new' : edited.id}
          title={
            edited === 'new' ? t('acq.addInterface') : t('acq.editOf', { name: nameOf(edited) })
          }
          record={edited === 'new' ? ({} as Interface) : edited}
          fields={fields}
          stored={edited === 'new' ? undefined : `${PATHS[KIND]}/${edited.id}`}
          save={(next) =>
            edited === 'new'
              ? addLinked(KIND, organization, next)
              : put(`${PATHS[KIND]}/${edited.id}`, next)
          }
          onClose={() => acts.setEdited(undefined)}
        />
      ) : null}
      {locked ? (
        <RecordCard<Secret>
          title={t('fin.setCredentials')}
          text={nameOf(locked)}
          record={{}}
          fields={[
            { name: 'username', label: t('fin.userName'), kind: 'text', needed: true },
            { name: 'password', label: t('fin.password'), kind: 'secret', needed: true },
          ]}
          save={async (next) => {
            const path = `${PATHS[KIND]}/${locked.id}/credentials`
            await keepSecret(path, { ...next, interfaceId: locked.id })
            setSets((count) => count + 1)
          }}
          onClose={() => setLocked(undefined)}
        />
      ) : null}
      {acts.deleted ? (
        <ConfirmCard
          title={t('fin.deleteAsk', { name: nameOf(acts.deleted) })}
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
      {interfaces.length ? (
        <Table
          label={t('acq.interfaces')}
          columns={columns}
          rows={rowsOf(interfaces)}
          keyOf={(one) => one.id}
          nameOf={nameOf}
          onOpen={(one) => {
            if (acts.mayEdit) acts.setEdited(one)
          }}
        />
      ) : organization.interfaces?.length ? null : (
        <p className="sm muted">{t('acq.noInterfaces')}</p>
      )}
    </Section>
  )
}
