<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="tiles" tilewidth="32" tileheight="32" tilecount="6" columns="6">
 <image source="tiles.png" width="192" height="32"/>
 <tile id="0"><properties><property name="kind" value="solid"/></properties></tile>
 <tile id="1"><properties><property name="kind" value="solid"/></properties></tile>
 <tile id="2"><properties><property name="kind" value="plank"/></properties></tile>
 <tile id="3"><properties><property name="kind" value="coin"/></properties></tile>
 <tile id="4"><properties><property name="kind" value="solid"/></properties></tile>
 <tile id="5"><properties><property name="kind" value="hero"/></properties></tile>
</tileset>
