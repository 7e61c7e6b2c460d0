// Registers a component's commands while it is mounted.
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type Command, registry } from './registry'

export function useCommands(commands: readonly Command[]) {
  // The functions change with each render; the registration only when what is shown changes.
  const latest = useRef(commands)
  latest.current = commands
  const shown = JSON.stringify(commands.map(({ run: _, ...rest }) => rest))
  useEffect(() => {
    const stable = latest.current.map((command) => ({
      ...command,
      run: () => latest.current.find((one) => one.id === command.id)?.run(),
    }))
    return registry.register(stable)
  }, [shown])
}

export const useAllCommands = () => useSyncExternalStore(registry.subscribe, registry.all)
