// Hits for what is typed: commands at once, the server's after a pause in typing.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useSelf } from '#/api/self'
import { useText } from '#/i18n/text'
import { keysOf } from '#/keys/profiles'
import { useAllCommands } from '#/keys/useCommands'
import { MAY } from '#/lib/permissions'
import type { Hit } from './hits'

const PAUSE_MS = 150
const COMMANDS_MAX = 7

export function useHits(text: string): { hits: Hit[]; busy: boolean } {
  const t = useText()
  const { permissions } = useSelf()
  const commands = useAllCommands()
  const settled = useSettled(text.trim())
  const allowed = {
    users: permissions.has(MAY.readUsers),
    inventory: permissions.has(MAY.readInventory),
  }
  const mayAuthorities = permissions.has(MAY.searchAuthorities)
  const { data, isFetching } = useQuery({
    queryKey: ['find', settled],
    // Not part of the first route: nobody has typed yet.
    queryFn: async ({ signal }) => (await import('./hits')).find(settled, allowed, signal),
    enabled: settled.length > 1,
    staleTime: 10_000,
  })
  const own = useMemo(() => {
    const needle = text.trim().toLocaleLowerCase()
    const seen = new Set<string>()
    return commands
      .flatMap((command): Hit[] => {
        const name = t(command.title)
        const matches = !needle || name.toLocaleLowerCase().includes(needle)
        // "Search" itself is no answer to a search.
        if (!matches || command.hidden || seen.has(name) || command.id.startsWith('app.search'))
          return []
        seen.add(name)
        return [
          {
            id: `command-${command.id}`,
            group: 'command',
            icon: 'corner-down-left',
            text: name,
            keys: keysOf(command),
            disabled: command.disabled,
            target: { kind: 'command', id: command.id },
          },
        ]
      })
      .slice(0, COMMANDS_MAX)
  }, [commands, t, text])
  const found = settled === text.trim() ? (data ?? []) : []
  const words = text.trim()
  const more: Hit[] = []
  if (allowed.inventory && words.length > 1)
    more.push({
      id: 'all-titles',
      group: 'command',
      icon: 'library',
      text: t('shell.searchInventory', { words }),
      target: { kind: 'inventory', words },
    })
  if (mayAuthorities && words.length > 1)
    more.push({
      id: 'all-authorities',
      group: 'command',
      icon: 'book-key',
      text: t('shell.searchAuthorities', { words }),
      target: { kind: 'authorities', words },
    })
  return { hits: [...found, ...own, ...more], busy: isFetching || settled !== text.trim() }
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
