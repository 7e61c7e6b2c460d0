// What the user may do: the sets and permissions given; added and taken away one by one.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { get, post, remove } from '#/api/client'
import { failureOf } from '#/api/errors'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { Lookup, type Option } from '#/ui/Lookup'
import styles from './record.module.css'

interface Known {
  permissionName: string
  displayName?: string
}

export function Permissions({ userId }: { userId: string }) {
  const t = useText()
  const formats = useFormats()
  const client = useQueryClient()
  const key = ['patrons', userId, 'permissions']
  const mayAdd = useNeeds('perms.users.item.post')
  const act = useAct()
  const [chosen, setChosen] = useState<Option>()
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => givenTo(userId, signal),
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return null
  const given = data.names
  const done = () => client.invalidateQueries({ queryKey: key })
  const add = async () => {
    if (!chosen) return
    const permissionName = chosen.id
    const path = `/perms/users/${userId}/permissions?indexField=userId`
    const ok = await act.run(() =>
      data.exists
        ? post(path, { permissionName })
        : post('/perms/users', { userId, permissions: [permissionName] }),
    )
    if (ok) setChosen(undefined)
    await done()
  }
  const take = (name: string) =>
    act
      .run(() =>
        remove(`/perms/users/${userId}/permissions/${encodeURIComponent(name)}?indexField=userId`),
      )
      .then(() => done())
  return (
    <section className="stack wide" aria-label={t('users.permissions')}>
      <form
        className="row wrap top"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <Lookup
          label={t('users.permission')}
          list="permissions"
          value={chosen}
          onChange={setChosen}
          search={findPermissions}
        />
        <span className={styles.beside}>
          <Button type="submit" icon="plus" busy={act.busy} disabled={mayAdd.reason}>
            {t('users.give')}
          </Button>
        </span>
      </form>
      <NotDone failure={act.failure} />
      {given.length === 0 ? (
        <Empty icon="lock" title={t('users.noPermissions')} text={t('users.noPermissionsWhat')} />
      ) : (
        <>
          <p className="sm muted">
            {t('users.givenCount', { count: given.length, shown: formats.number(given.length) })}
          </p>
          <ul className={styles.perms}>
            {given.map((name) => (
              <li key={name} className="row">
                <code className="grow">{name}</code>
                <Button
                  small
                  kind="quiet"
                  icon="x"
                  disabled={mayAdd.reason}
                  aria-label={t('users.takeAway', { name })}
                  onPress={() => void take(name)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** Who never had a permission has no record of permissions: that is no failure. */
async function givenTo(userId: string, signal: AbortSignal) {
  try {
    const { permissionNames } = await get<{ permissionNames: string[] }>(
      `/perms/users/${userId}/permissions`,
      { indexField: 'userId' },
      signal,
    )
    return { exists: true, names: permissionNames.toSorted() }
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind === 'fault' && failure.status === 404) return { exists: false, names: [] }
    throw error
  }
}

async function findPermissions(words: string, signal: AbortSignal): Promise<Option[]> {
  const parts = words.split(/\s+/).filter(Boolean)
  const query = parts.length
    ? parts.map((word) => `permissionName=="*${word.replace(/[\\"*?^]/g, '\\$&')}*"`).join(' and ')
    : 'cql.allRecords=1'
  const { permissions } = await get<{ permissions: Known[] }>(
    '/perms/permissions',
    { query: `${query} sortby permissionName`, length: 30 },
    signal,
  )
  return permissions.map((one) => ({
    id: one.permissionName,
    text: one.permissionName,
    detail: one.displayName,
  }))
}
