import type { Pattern } from "../engine-types.ts";
import { matching, requiredTexts } from "../prefilter.ts";
import { wordSet, words } from "../words.ts";
import { endsStatement, followsQuote, readSql, type SqlReading } from "./sql-reader.ts";

/** Functions of databases whose names mean nothing else. */
export const databaseFunctions = wordSet(`
  aes_decrypt aes_encrypt analyse array_agg array_to_string asciistr atan2 bin_to_uuid bit_length bit_xor bitand charindex
  char_length character_length collation compress concat concat_ws conv convert_tz crc32 curdate current_database
  current_schema current_setting current_user curtime database_to_xml datalength date_add date_format date_sub datediff
  dayname dayofmonth dayofyear db_id db_name des_decrypt des_encrypt elt export_set extractvalue
  find_in_set found_rows from_base64 from_days from_unixtime gen_random_uuid generate_series get_bit get_byte get_format
  get_lock getdate gtid_subset gtid_subtract group_concat has_database_privilege has_table_privilege hex host_name
  icu_version ifnull iif inet6_aton inet6_ntoa inet_aton inet_client_addr inet_ntoa inet_server_addr inet_server_port instr
  is_free_lock is_srvrolemember is_used_lock isnull json_agg json_array json_arrayagg json_array_length json_contains
  json_depth json_each json_extract json_extract_path json_group_array json_keys json_length json_merge json_object
  json_objectagg json_query json_quote json_search json_set json_table json_tree json_type json_unquote json_valid
  json_value jsonb_agg jsonb_each jsonb_pretty last_insert_id last_insert_rowid lcase listagg lo_create lo_export lo_from_bytea
  lo_get lo_import lo_put load_extension load_file localtimestamp ltrim lpad makedate maketime make_set master_pos_wait
  microsecond monthname multipoint multipolygon linestring multilinestring geometrycollection name_const ntile nullif nvl
  nvl2 object_id object_name octet_length old_password openrowset opendatasource openquery patindex period_add period_diff
  pg_backend_pid pg_client_encoding pg_database_size pg_file_settings pg_listening_channels pg_ls_dir pg_read_binary_file
  pg_read_file pg_sleep pg_sleep_for pg_sleep_until pg_stat_file pg_typeof pg_user polygon pow
  query_to_xml quote_literal randomblob rand rawtohex regexp_instr regexp_like regexp_matches regexp_replace
  regexp_substr release_lock replicate row_count row_number row_to_json rpad rtrim schema_name sec_to_time serverproperty
  session_user sha2 soundex sqlite_compileoption_get sqlite_compileoption_used sqlite_source_id sqlite_version st_astext
  st_latfromgeohash st_longfromgeohash st_pointfromgeohash str_to_date strcmp string_agg string_to_array stuff subdate
  substr substring substring_index subtime suser_name suser_sname sys_context sysdate system_user table_to_xml time_format
  time_to_sec timediff timestampadd timestampdiff to_base64 to_char to_clob to_date to_days to_hex to_number to_timestamp
  to_timestamp_tz total_changes tdesencrypt ucase uncompress uncompressed_length unhex unistr unix_timestamp updatexml
  user_id user_name utc_date utc_time utc_timestamp uuid_short uuid_to_bin validate_password_strength wait_for_executed_gtid_set
  any_value btrim cardinality charset clock_timestamp coercibility col_name columnproperty convert_from convert_to
  count_big currval cursor_to_xml databasepropertyex dayofweek file_name first_value format_bytes format_pico_time
  has_dbaccess host_id httpuritype ident_current ident_seed index_col indexproperty initcap is_member is_rolemember
  isfinite last_value likelihood localtime log10 log2 loginproperty make_date make_interval make_time make_timestamp nchar
  newsequentialid nextval nth_value openjson openxml original_login ps_current_thread_id ps_thread_id
  raiserror random_bytes release_all_locks roles_graphml rowcount_big row_count schema_id setval split_part
  sql_variant_property starts_with statement_digest statement_digest_text statement_timestamp stats_date stddev
  string_escape string_split strpos switchoffset sys_guid sys_xmlagg sys_xmlgen textptr timeofday transaction_timestamp
  try_cast try_convert try_parse type_id typeproperty unnest updatetext userenv xact_state
  adddate addtime asciistr benchmark bin_to_num bit_and bit_count bit_or chartorowid checksum_agg col_length column_name
  connection_id cume_dist current_catalog current_role current_timestamp current_time current_date datefromparts datename
  datepart date_part date_trunc date_bin dbinfo dense_rank empty_blob fulltextserviceproperty getpgusername getutcdate
  hextoraw instrb isdate isnumeric julianday justify_days last_day local_user months_between newid
  numtodsinterval objectproperty percent_rank pwdcompare pwdencrypt quote_ident
  quotename rowidtochar scope_identity session_context set_config setseed strftime stddev_pop stddev_samp
  sysdatetime sysutcdatetime timezone_offset to_ascii to_seconds to_tsquery to_tsvector
  add_months atn2 appendchildxml approx_count_distinct assemblyproperty app_name applock_mode applock_test asind atand
  bfilename binary_checksum bool_and bool_or brin_summarize_new_values cbrt certencoded certprivatekey checksum choose
  col_description collationproperty column_create column_get column_json columns_updated con_dbid_to_id connectionproperty
  context_info cosd crypt cube_table currtid cursor_status cursor_to_xmlschema database_principal_id database_to_xmlschema
  dateadd datediff_big datetrunc date_bucket dbtimezone decfloat decompose deletexml dburitype xdburitype drithsx
  enum_first enum_last enum_range eomonth existsnode fileproperty filegroupproperty format_type formatmessage
  from_tz fts3_tokenizer fulltextcatalogproperty gen_salt generate_subscripts generate_unique getansinull
  get_current_ts_config get_filestream_transaction_context getvariable group_id grouping_id has_perms_by_name hashbytes
  hostmask identity_val_local ident_incr indexkey_property insertchildxml insertxmlbefore instrc is_ipv4 is_ipv4_compat
  is_ipv4_mapped is_ipv6 is_objectsigned is_uuid isclosed isjson isopen iteration_number justify_hours key_guid key_id
  key_name lengthb lengthc lnnvl locate_in_string lower_inc lower_inf make_ref makeaclitem masklen midnight_seconds
  min_active_rowversion mxid_age nanvl nchr new_time next_day nlssort npoints num_nonnulls num_nulls numnode
  numtoyminterval obj_description object_definition object_schema_name objectpropertyex original_db_name parse_ident
  parsename phraseto_tsquery plainto_tsquery posstr powermultiset presentnnv presentv publishingservername
  query_to_xmlschema query_to_xml_and_xmlschema querytree quote_nullable raise_error range_merge ratio_to_report rawtonhex
  rec2xml reftohex rid_bit row_security_active rowidtonchar rowtonchar rtreecheck rtreenode schema_to_xml
  scn_to_timestamp session_id sessionproperty sessiontimezone set_masklen setweight sha224 sha384 sha512
  shobj_description sid_binary source_pos_wait sqlcode sqlerrm standard_hash stats_mode stdev stdevp strleft strright
  string_to_table substr2 substr4 substrb substrc suppress_redundant_updates_trigger symkeyproperty sys_eval sys_exec
  sys_get systimestamp textvalid timestamp_format timestamp_to_scn trigger_nestlevel trim_array trim_scale
  tsquery_phrase tsvector_to_array type_name tz_offset unixepoch uuid_generate_v1 validate_conversion
  varbinary varchar_format vargraphic varp wait_until_sql_thread_after_gtids websearch_to_tsquery wm_concat xml_is_well_formed
  xpath_exists sysdatetimeoffset setuser nvarchar writefile readfile
  uuid_generate_v4 var_pop var_samp vsize width_bucket zeroifnull weekofyear weight_string xmlagg xmlelement xmlexists xmlforest xmlparse xmlquery xmltype yearweek zeroblob
`);

/** Functions that other languages have too, under names that are no words: they count where no blank stands behind them. */
const tightFunctions = wordSet(`
  acos ascii asin atan bin ceiling chr coalesce cot crc32 degrees greatest ltrim md5 oct ord pow radians rand rtrim sha sha1
  stddev typeof variance
`);

/** Families of such functions. */
const databaseFamily =
  /^(?:jsonb?_(?!(?:de|en)code$|last_|dumps$|loads$|parse$|schema$)|xml(?!http)[a-z]{3}|pg_|sqlite_|st_[a-z]|lo_|regexp_|inet6?_|dblink|utl_|dbms_|ora_|nls_|suser_|current_|has_\w+_privilege|txid_|gtid_|multi(?:point|polygon|linestring)|mbr[a-z]|geom[a-z]|asym(?:metric_|key)|can_access_|(?:de|en)cryptby|(?:verify)?signe?d?by(?:asym|cert)|get_dd_|internal_(?!error)|ts_(?:debug|delete|filter|headline|lexize|parse|rank|rewrite|stat|token)|to_(?:n?clob|lob|blob|binary_|multi_|single_|[dy][sm]interval|n?char|reg)|covar_|corr_[ks]|regr_|percentile_|sys_(?:connect|dburi|extract|op_|typeid|xml)|array_(?:append|cat|dims|length|lower|ndims|positions?|prepend|remove|to_|upper)|(?:small)?date(?:time)?2?(?:offset)?fromparts|cert_|filegroup_|fn_[a-z]|error_(?:line|number|procedure|severity|state)|linestring|substring_)/;

/** Functions whose names are words of other languages too: they count where SQL stands around them. */
export const sharedFunctions = wordSet(`
  abs ascii avg bin cast ceil ceiling char chr coalesce convert count database decode encode exp exists extract floor format
  greatest if insert least left length ln locate log lower max md5 mid min mod month now oct ord password pi position quarter
  quote random repeat replace reverse right round schema sha sha1 sign sleep sqrt strpos sum time translate trim truncate typeof
  unicode upper user uuid values version week year benchmark likely unlikely glob changes quote day hour minute second space
`);

/** Words that begin with these are procedures and packages of databases. */
const databasePackage =
  /^(?:xp_\w{3,}|sp_(?:execute\w*|oa\w+|add\w+|configure|helpdb|makewebtask|password|sqlexec|replwritetovarbin|prepare\w*|send_dbmail|tables|columns|databases|who2?)|dbms_\w{2,}|utl_(?:http|file|inaddr|smtp|tcp|raw|encode|url)|ctxsys|sys_context|pg_stat_\w+|pg_(?:catalog|shadow|user|authid|class|toast|sleep|sleep_for|temp|tables|roles|database|proc|namespace|attribute|settings|largeobject)|sqlite_(?:master|schema|temp_master|temp_schema|sequence)|information_schema|sysobjects|syscolumns|sysdatabases|syslogins|sysusers|sysxlogins|sysprocesses|sysibm|syscat|msys[a-z]{3,}|msdasql|tempdb|msdb|sysaux|all_source|user_source|user_password|v\$\w{2,}|gv\$\w{2,}|all_(?:tables|tab_columns|users|objects)|user_(?:tables|tab_columns|objects|users|tab_cols)|dba_(?:users|tables|tab_columns|objects)|table_schema|rdb\$\w+|mysql_native_password|performance_schema|openrowset|opendatasource|fn_(?:virtualfilestats|xe_file_target_read_file|get_audit_file|trace_gettable|dblog)|load_file|load_extension|innodb_(?:table|index)_stats|xmltype|extractvalue|updatexml)$/;

const shared = { category: "sql-injection", paranoia: 1, severity: "critical", view: "sql" } as const;

/** Where the numbers of databases and of old interpreters end, and fractions whose end these never reach. */
const edges = words(`
  2.2250738585072007e-308 2.2250738585072011e-308 1.7976931348623157e309 1e309 1e310 4294967296
  9223372036854775808 18446744073709551615 18446744073709551616 0x7fffffffffffffff 0xffffffffffffffff
`);

/** Whether a name that is asked for stands before a bracket, with a blank between them at most. */
const hasCall = (text: string, isMeant: (name: string) => boolean): boolean => {
  for (let open = text.indexOf("("); open !== -1; open = text.indexOf("(", open + 1)) {
    const end = text[open - 1] === " " ? open - 1 : open;
    let start = end;
    while (start > end - 64 && isNamePart(text.charCodeAt(start - 1))) start -= 1;
    if (start < end && isMeant(text.slice(start, end))) return true;
  }
  return false;
};

const isNamePart = (code: number): boolean =>
  (code >= 97 && code <= 122) || code === 95 || (code >= 48 && code <= 57);

const isKnown = (name: string): boolean =>
  databaseFunctions.has(name) ||
  tightFunctions.has(name) ||
  databaseFamily.test(name) ||
  tellingFunction.test(name);

const findFunction = (text: string): string | null => {
  if (!hasCall(text, isKnown)) return null;
  const sql = readSql(text);
  for (let index = 0; index < sql.tokens.length; index += 1) {
    if (sql.at(index).text !== "(" || !isDatabaseFunction(sql, index)) continue;
    // `value.substr(…)` is a method of a program.
    if (!/^[.>]$/.test(sql.at(index - 2).text)) return sql.piece(index - 1, index + 4);
  }
  return null;
};

/** Functions that say something of the server are named in prose only with their brackets apart or in the plural. */
const tellingFunction = /^(?:database|schema|user|version|system_user|session_user)$/;

const isDatabaseFunction = (sql: SqlReading, open: number): boolean => {
  const { text } = sql.at(open - 1);
  if (isMention(sql, open)) return false;
  if (
    databaseFunctions.has(text) ||
    (isTight(sql, open) && (databaseFamily.test(text) || tightFunctions.has(text)))
  )
    return true;
  const isBare =
    open === sql.tokens.length - 1 || (sql.at(open + 1).text === ")" && /^(?:database|schema)$/.test(text));
  return tellingFunction.test(text) && isTight(sql, open) && isBare && sql.at(open - 2).text !== ">";
};

/** "use concat() for it", "compress (as you like)": a name behind a word of a sentence, its brackets empty or apart. */
const isMention = (sql: SqlReading, open: number): boolean => {
  const before = sql.at(open - 2);
  const isInSentence = before.kind === "word" && !sqlWord.test(before.text);
  return isInSentence && (sql.at(open + 1).text === ")" || !isTight(sql, open));
};

const sqlWord =
  /^(?:select|and|or|where|having|union|by|then|else|when|in|from|set|like|regexp|rlike|between|not|xor|div|limit)$/;

const findShared = (text: string): string | null => {
  if (!hasCall(text, (name) => sharedFunctions.has(name))) return null;
  const sql = readSql(text);
  for (let index = 1; index < sql.tokens.length; index += 1) {
    if (sql.at(index).text !== "(" || !sharedFunctions.has(sql.at(index - 1).text)) continue;
    const before = sql.at(index - 2);
    const isBehindQuote =
      (before.kind === "operator" || sqlWord.test(before.text)) && followsQuote(sql, index - 2);
    if (isBehindQuote && isTight(sql, index)) return sql.piece(index - 3, index + 3);
    const isNested =
      sharedFunctions.has(sql.at(index + 1).text) || databaseFunctions.has(sql.at(index + 1).text);
    if (isNested && sql.at(index + 2).text === "(" && sqlWord.test(before.text))
      return sql.piece(index - 2, index + 4);
    if (
      sql.at(index - 1).text === "user" &&
      sql.at(index + 1).text === ")" &&
      before.text === "," &&
      endsStatement(sql, index + 2)
    )
      return sql.piece(index - 2, index + 2);
  }
  return null;
};

const isTight = (sql: SqlReading, open: number): boolean =>
  sql.at(open - 1).at + sql.at(open - 1).text.length === sql.at(open).at;

const catalogueTable =
  /^(?:user|db|sys\w+|tables|columns|databases|objects|schemas|xp_\w+|sp_\w+|dbo|innodb\w+|schema_table\w*|user_\w+)$/;

/** `mysql.user`, `master..sysobjects`; in the name of a host, labels stand around them. */
const isCatalogue = (sql: SqlReading, index: number): boolean => {
  if (!/^(?:mysql|master|sys|msdb|northwind)$/.test(sql.at(index).text) || sql.at(index + 1).text !== ".")
    return false;
  if (sql.at(index + 2).text === ".") return sql.at(index + 3).kind === "word";
  const isLabel = /^[.@/-]$/.test(sql.at(index - 1).text) || sql.at(index + 3).text === ".";
  return catalogueTable.test(sql.at(index + 2).text) && (!isLabel || sql.at(index + 2).text === "dbo");
};

const findPackage = (sql: SqlReading): string | null => {
  for (let index = 0; index < sql.tokens.length; index += 1) {
    const { kind, text } = sql.at(index);
    if (kind !== "word") continue;
    if (databasePackage.test(text)) return sql.piece(index, index + 3);
    if (isCatalogue(sql, index)) return sql.piece(index, index + 3);
  }
  return null;
};

/** Names and writings that databases alone know. */
export const functionPatterns: readonly Pattern[] = [
  matching(
    { ...shared, id: 5030, title: "Function that makes the database wait" },
    /(?:^|[^\w.$])(?:pg_sleep(?:_for|_until)?|sleep|benchmark|randomblob)\s?\(\s?(?:['"]?-?\d|\(|select\b|mod|[a-z]{1,16}\s?\(|if\b|@)/,
  ),
  { ...shared, id: 5031, title: "Function of databases", needs: ["("], find: (text) => findFunction(text) },
  {
    ...shared,
    id: 5032,
    title: "Function of databases behind a break",
    needs: ["("],
    find: (text) => findShared(text),
  },
  {
    ...shared,
    id: 5033,
    title: "Procedure, package or catalogue of a database",
    needs: [...(requiredTexts(databasePackage) ?? []), "mysql", "master", "sys.", "msdb", "northwind"],
    find: (text) => findPackage(readSql(text)),
  },
  matching(
    { ...shared, id: 5034, title: "Variable of the database server" },
    /(?:^|[^\w@])@@(?:global\.|session\.|local\.)?[a-z]\w{2,40}/,
  ),
  matching(
    { ...shared, id: 5035, title: "Cast of a value", needs: ["::", "cast", "convert"] },
    /[\w'")\]]\s?::\s?(?:int[248]?|integer|bool|boolean|jsonb?|numeric|varchar|bytea|regclass|oid|float[48]?|bigint|name|text|xml|date|timestamp|char|bpchar|uuid|inet|money|real|smallint|interval|time|cstring|reg(?:proc|type|role)|bit)\b|(?:^|[^\w.])(?:cast|try_cast)\s?\([^)]{1,64}\sas\s(?:n?(?:var)?char2?|int(?:eger)?|numeric|decimal|signed|unsigned|binary|text|date|xml|float|json|number)\b|(?:^|[^\w.])convert\s?\(\s?(?:int|n?varchar|[^()]{1,64}\busing\b)/,
  ),
  matching(
    {
      ...shared,
      id: 5036,
      title: "JSON operator of databases",
      needs: [
        ...words(`@> <@ #> #- ?| ?& @? @@ -> json '$ "$ }' ]' }\` ]\``),
        ...["} '", "] '", "} `", "] `", "member of"],
      ],
    },
    /\w\s?(?:@>|<@)\s?['"][{[]|['"\])]\s?(?:@>|<@|\?[|&]|#>>?|#-|@\?|@@|->>?)\s?(?:['"\d]|array\s?\[|\$|null\b)|[\w)]\s?(?:->>?|#>>?)\s?['"][${\w]|['"}\])]\s?(?:[=<>]|<>|!=|like|->>?)\s?['"]\$[.[]|['"`]\s?[{[][^'`]{0,256}[}\]]\s?['`]\s?(?:\?|\|\||[<>=!]{1,2}|-|is\sjson)\s?(?:['"`\d]|$)|\bmember\sof\s?\(|\bis\s(?:not\s)?json\b/,
  ),
  matching(
    { ...shared, id: 5037, title: "Comment that MySQL runs", view: "plain" },
    /\/\*m?!(?:\d{5,6}|[a-z]{2,}|\s?(?:select|union|and|or|from|where|order|group|having|insert|update|delete)\b)|\/\*\+\s?\w/,
  ),
  matching(
    { ...shared, id: 5038, title: "Number that hides a name", needs: ["e.", "e("] },
    /(?:^|[^\w.])\d{1,16}\.?\d{0,16}e(?:\.\s?[a-z_]{3}|\(\s?(?:[a-z@'"]|\d))/,
  ),
  matching(
    { ...shared, id: 5039, title: "Text written as numbers" },
    /\bn?cha?r\s?\(\s?(?:0x[0-9a-f]+|\d{1,3})\s?(?:,\s?(?:0x[0-9a-f]+|\d{1,3})\s?){2,}|\bcha?r\s?\(\s?(?:0x[0-9a-f]{1,8}|\d{1,3})\s?\)\s?(?:\|\||\+|,|&)\s?cha?r\s?\(|[=,(|+]\s?0x(?:[2-7][0-9a-f]){4,64}\s?(?:$|[),;|+\s-])/,
  ),
  {
    ...shared,
    id: 5040,
    title: "Number at the edge of what programs count",
    needs: edges,
    find: (text) => (edges.includes(text.trim().replace(/^-/, "")) ? text : null),
  },
  matching(
    { ...shared, id: 5041, title: "Operator between closed parentheses or strings" },
    /(?:^|[^\w.])if\s?\(\s?\d{1,9}\s?=(?!=)|\)\s?(?:r?like|regexp|glob)\s?[('"]|\)(?:between|xor|div|sounds)\b|['"`]\s?(?:rlike|regexp|xor|having|div|mod)\s?(?:$|[('"`\d])|\)(?:or|and|in|union|having)\(|\bhaving\(/,
  ),
];
