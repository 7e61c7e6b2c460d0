// The columns of the list of users.
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { User } from '#/api/types'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import { Outcome } from '#/ui/Badge'
import { Code } from '#/ui/Code'
import type { Column } from '#/ui/Table'
import table from '#/ui/Table.module.css'

export function useUserColumns(groups: readonly { id: string; group: string }[]): Column<User>[] {
  const t = useText()
  const formats = useFormats()
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('users.name'),
        kind: 'main',
        sort: 'name',
        cell: (user) => (
          <Link
            className={table.title}
            to="/users/$userId"
            params={{ userId: user.id }}
            tabIndex={-1}
          >
            <bdi>{fullName(user.personal ?? {}) || user.username || user.id}</bdi>
          </Link>
        ),
      },
      {
        id: 'barcode',
        title: t('users.barcode'),
        width: 10.5,
        soft: true,
        sort: 'barcode',
        cell: (user) => (user.barcode ? <Code>{user.barcode}</Code> : null),
      },
      {
        id: 'group',
        title: t('users.group'),
        width: 8,
        cell: (user) => <bdi>{groups.find((one) => one.id === user.patronGroup)?.group}</bdi>,
      },
      {
        id: 'status',
        title: t('users.status'),
        width: 7.5,
        cell: (user) =>
          user.active ? (
            <Outcome kind="ok" icon="check">
              {t('users.active')}
            </Outcome>
          ) : (
            <Outcome kind="offline" icon="ban">
              {t('users.inactive')}
            </Outcome>
          ),
      },
      {
        id: 'expires',
        title: t('users.expires'),
        width: 9.5,
        wide: true,
        sort: 'expires',
        cell: (user) => (user.expirationDate ? formats.day(user.expirationDate) : null),
      },
      {
        id: 'username',
        title: t('users.username'),
        width: 9,
        soft: true,
        wide: true,
        sort: 'username',
        cell: (user) => <bdi>{user.username}</bdi>,
      },
      {
        id: 'email',
        title: t('users.email'),
        width: 14,
        soft: true,
        wide: true,
        sort: 'email',
        cell: (user) => <bdi>{user.personal?.email}</bdi>,
      },
      {
        id: 'externalId',
        title: t('users.externalId'),
        width: 9,
        soft: true,
        wide: true,
        cell: (user) => (user.externalSystemId ? <Code plain>{user.externalSystemId}</Code> : null),
      },
    ],
    [t, formats, groups],
  )
}
