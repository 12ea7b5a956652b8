#!/bin/sh
# Run by the Postgres image on an empty volume: creates the server's role, which is not a superuser, and its database.
set -eu
export DATABASE_NAME="${DATABASE_NAME:-watchfloor}"
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
\getenv name DATABASE_NAME
\getenv password DATABASE_PASSWORD
\set role :name _server
create role :"role" login password :'password';
create database :"name" owner :"role";
SQL
