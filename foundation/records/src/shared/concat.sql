-- What octavo_concat gives stays the same. As a function of SQL it cannot be put where it is called
-- (array_to_string is only STABLE), and is parsed and planned anew for each statement that changes a
-- row with such an index; PL/pgSQL keeps its plan.
CREATE OR REPLACE FUNCTION public.octavo_concat(VARIADIC text[]) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
  AS $$ BEGIN RETURN array_to_string($1, ' '); END $$;
