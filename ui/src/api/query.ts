// The cache of server state, and the way pages read it: the loader awaits a query, the component reads
// it with `useLoaded`. So a page never renders without its data.
import { QueryClient, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { connection } from './connection'
import { failureOf } from './errors'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // Whether the server can be reached is for requests to find out, not for the browser to guess.
      networkMode: 'always',
      retry: (count, error) =>
        count < 2 && failureOf(error).kind === 'unreachable' && !connection.isOffline(),
    },
  },
})

/** Data that the page's loader has fetched. */
export function useLoaded<T, K extends QueryKey>(options: UseQueryOptions<T, Error, T, K>): T {
  const { data } = useQuery(options)
  if (data === undefined) {
    throw new Error(`invariant: the loader awaits ${JSON.stringify(options.queryKey)}`)
  }
  return data
}

/** For `useQueries`: what has arrived, the same array until something else has. */
export const answersOf = <T>(asked: readonly { data: T | undefined }[]) =>
  asked.map(({ data }) => data)
