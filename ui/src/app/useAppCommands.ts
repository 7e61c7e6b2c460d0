// The commands of every page: places, search, keys, log-out.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { logOut } from '#/api/login'
import { useSelf } from '#/api/self'
import { useText } from '#/i18n/text'
import type { Command } from '#/keys/registry'
import { useCommands } from '#/keys/useCommands'
import { MAY } from '#/lib/permissions'
import { PLACES } from './places'
import { focusSearch } from './search/focus'

export function useAppCommands() {
  const t = useText()
  const navigate = useNavigate()
  const { permissions } = useSelf()
  const [open, setOpen] = useState(false)
  const places = PLACES.map((place): Command => {
    const needed = place.needs && MAY[place.needs]
    const may = !needed || permissions.has(needed)
    return {
      id: `go.${place.id}`,
      title: place.title,
      group: 'go',
      keys: place.keys,
      disabled: may ? undefined : t('shell.needsPermission', { permission: needed }),
      run: () => navigate({ to: place.to }),
    }
  })
  useCommands([
    ...places,
    { id: 'app.search', title: 'shell.search', group: 'app', keys: 'Mod+K', run: focusSearch },
    { id: 'app.searchSlash', title: 'shell.search', group: 'app', keys: '/', run: focusSearch },
    {
      id: 'app.keys',
      title: 'shell.keysOfPage',
      group: 'app',
      keys: '?',
      run: () => setOpen(true),
    },
    {
      id: 'app.desk',
      title: 'shell.changeDesk',
      group: 'app',
      keys: 'g d',
      run: () => navigate({ to: '/desk', search: {} }),
    },
    { id: 'app.logOut', title: 'shell.logOut', group: 'app', run: () => void logOut() },
  ])
  return { open, show: () => setOpen(true), hide: () => setOpen(false) }
}
