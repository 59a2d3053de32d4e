-- A worker's own role, with rights to what it checks and plays, and to no account:
--     psql --set name=NAME --set password=PASSWORD --file postgresql.sql
-- Run it again after an upgrade, which may have brought tables.
\set ON_ERROR_STOP on
SELECT format('CREATE ROLE %I LOGIN', :'name')
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'name') \gexec
ALTER ROLE :"name" PASSWORD :'password';
SELECT format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO %I', tablename, :'name')
FROM pg_tables WHERE schemaname = 'public' AND tablename ~ '^(bots|matches|tournaments)_' \gexec
SELECT format('GRANT USAGE ON SEQUENCE %I TO %I', sequencename, :'name')
FROM pg_sequences WHERE schemaname = 'public' AND sequencename ~ '^(bots|matches|tournaments)_' \gexec
